/**
 * How HTTP/1.1 frames bodies (RFC 9112 sections 6 and 7): chunks, lengths, and the handshake that ends them. Heads are in
 * {@link io.ballast.http.head}.
 *
 * <p>Everything here is confined to one event loop.
 */
@NullMarked
package io.ballast.http.h1.wire;

import org.jspecify.annotations.NullMarked;
