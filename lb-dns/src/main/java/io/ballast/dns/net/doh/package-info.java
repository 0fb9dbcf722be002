/**
 * DNS over HTTPS (<a href="https://datatracker.ietf.org/doc/html/rfc8484">RFC 8484</a>):
 * {@link io.ballast.dns.net.doh.DohProtocol} negotiates the HTTP version by TLS. {@code Http2Requests} and
 * {@code Http1Requests} extract the query from a request, by the rules of {@code DohRequest}, and send the
 * answer as a response.
 */
@NullMarked
package io.ballast.dns.net.doh;

import org.jspecify.annotations.NullMarked;
