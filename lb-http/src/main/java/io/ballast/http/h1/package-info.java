/**
 * HTTP/1.1 as bytes (RFC 9112), in three rooms.
 *
 * <ul>
 *   <li>{@code wire}: how bodies are framed; knows neither side
 *   <li>{@code client}: connections of clients; knows {@code wire}
 *   <li>{@code backend}: connections to backends; knows {@code wire}
 * </ul>
 *
 * <p>Heads are in {@link io.ballast.http.head}, and what both versions of HTTP do for a client in {@link
 * io.ballast.http.serving}. {@link io.ballast.http.h1.Http1Loop} joins the two sides, which otherwise meet in {@link
 * io.ballast.http.exchange.Exchange}. Everything here is confined to one event loop.
 */
@NullMarked
package io.ballast.http.h1;

import org.jspecify.annotations.NullMarked;
