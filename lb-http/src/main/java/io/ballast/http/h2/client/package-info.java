/**
 * The client side of HTTP/2. {@link io.ballast.http.h2.client.Http2Connection} reads frames; the package {@code
 * multiplex} handles each request and its response as an exchange.
 */
@NullMarked
package io.ballast.http.h2.client;

import org.jspecify.annotations.NullMarked;
