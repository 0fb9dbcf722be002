/**
 * Heads of requests and responses, in the notation of HTTP/1.1 (RFC 9112 sections 2 to 5), in which they cross from one side
 * of an exchange to the other whatever the protocols are (decision 30).
 *
 * <p>Start with {@link io.ballast.http.head.RequestScanner}, one strict pass over a head that was copied once into the
 * scratch array of its event loop. There is no lenient mode: what a scanner rejects is not passed on.
 *
 * <p>Everything here is confined to one event loop.
 */
@NullMarked
package io.ballast.http.head;

import org.jspecify.annotations.NullMarked;
