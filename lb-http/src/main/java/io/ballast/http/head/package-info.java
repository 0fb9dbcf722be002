/**
 * Heads of requests and responses, in HTTP/1.1 notation (RFC 9112 sections 2 to 5). The two sides of an exchange pass
 * heads to each other in this notation, even if one or both of them use HTTP/2 (decision 30).
 *
 * <p>Start with {@link io.ballast.http.head.RequestScanner}. It makes one strict pass over a head that was copied once
 * into the scratch array of its event loop. There is no lenient mode: a head that a scanner rejects is not forwarded.
 *
 * <p>All classes of this package are confined to one event loop.
 */
@NullMarked
package io.ballast.http.head;

import org.jspecify.annotations.NullMarked;
