/** What tests of several packages need. */
@NullMarked
package io.ballast.cluster.testing;

import org.jspecify.annotations.NullMarked;
