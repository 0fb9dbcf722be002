/**
 * What an exchange does whatever protocol it speaks: picks a backend ({@link io.ballast.http.relay.BackendChoice}) and waits
 * for one if need be ({@link io.ballast.http.relay.BackendSearch}), counts its attempts ({@link io.ballast.http.relay.Attempts}), and
 * keeps to the limits of its listener ({@link io.ballast.http.relay.Admission}). {@link io.ballast.http.relay.Failure} is
 * every way in which it can go wrong.
 *
 * <p>Nothing here knows HTTP or a buffer.
 */
@NullMarked
package io.ballast.http.relay;

import org.jspecify.annotations.NullMarked;
