/**
 * An exchange: one request and its response, whatever protocol stands on either side.
 *
 * <p>{@link io.ballast.http.exchange.Exchange} tells its whole life from top to bottom; {@link
 * io.ballast.http.exchange.ClientSide} and {@link io.ballast.http.exchange.BackendSide} are what it needs of the two
 * connections, and {@link io.ballast.http.exchange.TunnelSide} of each end of a {@link io.ballast.http.exchange.Tunnel}, which
 * an exchange becomes when both sides switch to another protocol. What it does as any exchange would is in {@link
 * io.ballast.http.relay}.
 */
@NullMarked
package io.ballast.http.exchange;

import org.jspecify.annotations.NullMarked;
