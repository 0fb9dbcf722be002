/** Fixtures for sources of backends: a clock, a listener and a server that the test controls. */
@NullMarked
package io.ballast.discovery.testing;

import org.jspecify.annotations.NullMarked;
