/**
 * An exchange: one request and its response, whatever protocol stands on either side.
 *
 * <p>{@link io.ballast.http.exchange.Exchange} tells its whole life from top to bottom; {@link
 * io.ballast.http.exchange.ClientSide} and {@link io.ballast.http.exchange.BackendSide} are what it needs of the two
 * connections; {@link io.ballast.http.exchange.Failure} is every way in which it can go wrong.
 */
@NullMarked
package io.ballast.http.exchange;

import org.jspecify.annotations.NullMarked;
