/**
 * HTTP/1.1 as bytes (RFC 9112): scanning and editing of heads, framing of bodies, and the two kinds of connection.
 *
 * <p>Start with {@link io.ballast.http.h1.RequestScanner} (one strict pass over a head), {@link
 * io.ballast.http.h1.ClientConnection} and {@link io.ballast.http.h1.BackendConnection}. A head is copied once into the
 * worker's scratch array, scanned there, and composed anew with the lines that a proxy must change cut out or appended;
 * bodies are passed on as the buffers that arrived. There is no lenient mode: what a scanner rejects reaches nobody.
 *
 * <p>Everything here is confined to one event loop.
 */
@NullMarked
package io.ballast.http.h1;

import org.jspecify.annotations.NullMarked;
