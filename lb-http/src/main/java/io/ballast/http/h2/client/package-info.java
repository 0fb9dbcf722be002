/**
 * The client side of HTTP/2: {@link io.ballast.http.h2.client.Http2Connection} reads frames, {@link
 * io.ballast.http.h2.client.Http2Stream} is one request and its response, an exchange like any other.
 *
 * <p>Heads cross from one protocol to the other in the notation of HTTP/1.1: {@link io.ballast.http.h2.client.RequestHead}
 * makes it, strictly, and the same scanner, routes and writers work on it as on what came in that notation.
 */
@NullMarked
package io.ballast.http.h2.client;

import org.jspecify.annotations.NullMarked;
