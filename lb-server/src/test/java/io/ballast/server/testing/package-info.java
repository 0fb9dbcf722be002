/** Fixtures for tests of the whole process. */
@NullMarked
package io.ballast.server.testing;

import org.jspecify.annotations.NullMarked;
