/**
 * The client side of HTTP/2. {@link io.ballast.http.h2.client.Http2Connection} reads frames, {@link
 * io.ballast.http.h2.client.Http2Stream} handles one request and its response as an exchange.
 *
 * <p>Heads are converted to HTTP/1.1 between the protocols. {@link io.ballast.http.h2.client.Http1RequestHeadBuilder}
 * does this strictly, so that the scanner, routes and writers of HTTP/1.1 can process them.
 */
@NullMarked
package io.ballast.http.h2.client;

import org.jspecify.annotations.NullMarked;
