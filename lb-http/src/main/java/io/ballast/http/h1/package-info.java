/**
 * HTTP/1.1 as bytes (RFC 9112), in four rooms.
 *
 * <ul>
 *   <li>{@code wire}: scanning heads and following bodies; knows neither side
 *   <li>{@code forwarding}: who the client is, and what backends are told about it; knows {@code wire}
 *   <li>{@code client}: connections of clients; knows {@code wire} and {@code forwarding}
 *   <li>{@code backend}: connections to backends; knows {@code wire}
 * </ul>
 *
 * <p>{@link io.ballast.http.h1.Http1Loop} joins the two sides, which otherwise meet in {@link
 * io.ballast.http.exchange.Exchange}. Everything here is confined to one event loop.
 */
@NullMarked
package io.ballast.http.h1;

import org.jspecify.annotations.NullMarked;
