/**
 * The wire format of HTTP/1.1 (RFC 9112): scanners of heads and of chunks, and what a body is framed by.
 *
 * <p>Start with {@link io.ballast.http.head.RequestScanner}, one strict pass over a head that was copied once into the
 * scratch array of its event loop. There is no lenient mode: what a scanner rejects is not passed on.
 *
 * <p>Everything here is confined to one event loop.
 */
@NullMarked
package io.ballast.http.h1.wire;

import org.jspecify.annotations.NullMarked;
