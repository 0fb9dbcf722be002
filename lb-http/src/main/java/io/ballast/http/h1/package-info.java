/**
 * HTTP/1.1 on the wire (RFC 9112), in three packages.
 *
 * <ul>
 *   <li>{@code wire}: the framing of bodies; does not depend on the other two packages
 *   <li>{@code client}: client connections; uses {@code wire}
 *   <li>{@code backend}: backend connections; uses {@code wire}
 * </ul>
 *
 * <p>Heads are in {@link io.ballast.http.head}. The client code shared with HTTP/2 is in {@link
 * io.ballast.http.serving}. {@link io.ballast.http.h1.Http1Loop} creates the client and the backend state of
 * an event loop; otherwise, the two sides interact only through {@link io.ballast.http.exchange.Exchange}.
 * All classes of these packages are confined to one event loop.
 */
@NullMarked
package io.ballast.http.h1;

import org.jspecify.annotations.NullMarked;
