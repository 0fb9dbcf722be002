/**
 * Test fixtures, also used by other modules through the {@code test-jar}. {@link io.ballast.http.testing.RawClient}
 * sends arbitrary bytes and parses strictly. {@link io.ballast.http.testing.TestBackend} plays
 * {@link io.ballast.http.testing.Script}s. {@link io.ballast.http.testing.TestBalancer} connects them. No fixture
 * sleeps; each waits for an event, up to {@link io.ballast.http.testing.TestTimeout}.
 */
@NullMarked
package io.ballast.http.testing;

import org.jspecify.annotations.NullMarked;
