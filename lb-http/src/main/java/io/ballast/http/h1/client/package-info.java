/**
 * The client side of HTTP/1.1. Start with {@link io.ballast.http.h1.client.ClientConnection}.
 *
 * <p>A head is composed anew from the octets that arrived, with the lines that a proxy must change left out or appended;
 * bodies are passed on as the buffers that arrived.
 *
 * <p>Everything here is confined to one event loop.
 */
@NullMarked
package io.ballast.http.h1.client;

import org.jspecify.annotations.NullMarked;
