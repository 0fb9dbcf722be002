/**
 * HTTP/1.1 on the wire (RFC 9112), in three packages.
 *
 * <ul>
 *   <li>{@code wire}: the framing of bodies; independent of both sides
 *   <li>{@code client}: client connections; uses {@code wire}
 *   <li>{@code backend}: backend connections; uses {@code wire}
 * </ul>
 *
 * <p>Heads are in {@link io.ballast.http.head}. The client side shared with HTTP/2 is in {@link
 * io.ballast.http.serving}. {@link io.ballast.http.h1.Http1Loop} joins the two sides, which otherwise meet in
 * {@link io.ballast.http.exchange.Exchange}. Everything here is confined to one event loop.
 */
@NullMarked
package io.ballast.http.h1;

import org.jspecify.annotations.NullMarked;
