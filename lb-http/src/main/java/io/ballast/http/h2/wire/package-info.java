/**
 * The wire format of HTTP/2: frames (RFC 9113 section 4) and HPACK (RFC 7541). Start with
 * {@link io.ballast.http.h2.wire.FrameReader} and {@link io.ballast.http.h2.wire.HpackDecoder}.
 */
@NullMarked
package io.ballast.http.h2.wire;

import org.jspecify.annotations.NullMarked;
