/** Helpers for the tests of several packages. */
@NullMarked
package io.ballast.cluster.testing;

import org.jspecify.annotations.NullMarked;
