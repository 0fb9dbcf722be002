/**
 * The client side of HTTP/3 (RFC 9114): {@link io.ballast.http.h3.client.Http3Connection} manages the streams of a QUIC
 * connection, {@link io.ballast.http.h3.client.Http3StreamHandler} passes the frames of one stream to the package {@code
 * multiplex}, which handles the request as an exchange. Frames and QPACK are Netty's.
 */
@NullMarked
package io.ballast.http.h3.client;

import org.jspecify.annotations.NullMarked;
