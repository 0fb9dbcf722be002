/**
 * Fixtures that the tests of other modules use too, through the {@code test-jar} of this module. {@link
 * io.ballast.http.testing.RawClient} sends what it is told and reads strictly; {@link
 * io.ballast.http.testing.TestBackend} plays {@link io.ballast.http.testing.Script}s; {@link
 * io.ballast.http.testing.TestBalancer} stands between them. Nothing here sleeps: whatever waits, waits for an event,
 * and no longer than {@link io.ballast.http.testing.Patience} has.
 */
@NullMarked
package io.ballast.http.testing;

import org.jspecify.annotations.NullMarked;
