/**
 * The requests of a client connection with several streams, without the framing of one protocol: HTTP/2 and HTTP/3 have
 * the same heads, bodies and trailers. {@link io.ballast.http.multiplex.ClientStream} handles one request and its
 * response as an exchange. A protocol implements {@link io.ballast.http.multiplex.MultiplexedConnection}, {@link
 * io.ballast.http.multiplex.ResponseStream} and {@link io.ballast.http.multiplex.RequestWindow}.
 *
 * <p>Heads are converted to HTTP/1.1 between the protocols. {@link io.ballast.http.multiplex.Http1RequestHeadBuilder}
 * does this strictly, so that the scanner, routes and writers of HTTP/1.1 can process them.
 */
@NullMarked
package io.ballast.http.multiplex;

import org.jspecify.annotations.NullMarked;
