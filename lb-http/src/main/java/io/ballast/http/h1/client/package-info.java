/**
 * The client side of HTTP/1.1. Start with {@link io.ballast.http.h1.client.ClientConnection}.
 *
 * <p>Heads are composed from the received bytes, with lines removed or added as required of a proxy; bodies
 * are forwarded in their original buffers.
 *
 * <p>Everything here is confined to one event loop.
 */
@NullMarked
package io.ballast.http.h1.client;

import org.jspecify.annotations.NullMarked;
