/** Fixtures for sources of backends: time, listener and server in the hand of a test. */
@NullMarked
package io.ballast.discovery.testing;

import org.jspecify.annotations.NullMarked;
