/**
 * The protocol-independent parts of an exchange. An exchange picks a backend ({@link
 * io.ballast.http.relay.BackendChoice}), waits for a free backend if all are full ({@link
 * io.ballast.http.relay.BackendSearch}), counts its attempts ({@link io.ballast.http.relay.AttemptHistory}), and
 * respects its listener's limits ({@link io.ballast.http.relay.Admission}). {@link io.ballast.http.relay.Failure} lists
 * all failures.
 *
 * <p>This package does not depend on HTTP or buffers.
 */
@NullMarked
package io.ballast.http.relay;

import org.jspecify.annotations.NullMarked;
