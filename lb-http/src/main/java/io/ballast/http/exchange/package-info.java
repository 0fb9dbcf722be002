/**
 * An exchange is one request and its response, with any HTTP version on either side.
 *
 * <p>{@link io.ballast.http.exchange.Exchange} contains the whole life cycle. It uses the two connections
 * through {@link io.ballast.http.exchange.ClientSide} and {@link io.ballast.http.exchange.BackendSide}. If
 * both sides switch to another protocol, the exchange becomes a {@link io.ballast.http.exchange.Tunnel}
 * between two {@link io.ballast.http.exchange.TunnelSide}s. A source of {@link io.ballast.http.local} may answer
 * instead of a backend. The parts shared with TCP and UDP sessions are in
 * {@link io.ballast.http.relay}.
 */
@NullMarked
package io.ballast.http.exchange;

import org.jspecify.annotations.NullMarked;
