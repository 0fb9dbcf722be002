/**
 * The client side of HTTP/1.1. Start with {@link io.ballast.http.h1.client.ClientConnection}.
 *
 * <p>Heads are composed from the received bytes, with the changes that a proxy must make; bodies are forwarded in their
 * original buffers.
 *
 * <p>All classes of this package are confined to one event loop.
 */
@NullMarked
package io.ballast.http.h1.client;

import org.jspecify.annotations.NullMarked;
