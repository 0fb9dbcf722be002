/**
 * The body framing of HTTP/1.1 (RFC 9112 sections 6 and 7): chunks and lengths. Heads are in {@link
 * io.ballast.http.head}.
 *
 * <p>All classes of this package are confined to one event loop.
 */
@NullMarked
package io.ballast.http.h1.wire;

import org.jspecify.annotations.NullMarked;
