/**
 * Heads of requests and responses, in HTTP/1.1 notation (RFC 9112 sections 2 to 5). All heads cross from one side of an
 * exchange to the other in this notation, whatever the protocols are (decision 30).
 *
 * <p>Start with {@link io.ballast.http.head.RequestScanner}, one strict pass over a head that was copied once into the
 * scratch array of its event loop. There is no lenient mode: a head that a scanner rejects is not forwarded.
 *
 * <p>Everything here is confined to one event loop.
 */
@NullMarked
package io.ballast.http.head;

import org.jspecify.annotations.NullMarked;
