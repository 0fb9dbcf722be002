/**
 * Fixtures that the tests of other modules use too, through the {@code test-jar} of this module.
 * {@link io.ballast.net.testing.EachTransport} runs a test on every transport available on this machine.
 */
@NullMarked
package io.ballast.net.testing;

import org.jspecify.annotations.NullMarked;
