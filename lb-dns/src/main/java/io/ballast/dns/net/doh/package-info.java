/**
 * DNS over HTTPS (<a href="https://datatracker.ietf.org/doc/html/rfc8484">RFC 8484</a>): {@link
 * io.ballast.dns.net.doh.DohProtocol} negotiates the HTTP version with ALPN. {@code Http2Requests} and {@code
 * Http1Requests} extract the DNS query from a request and send the response. {@code DohRequest} defines which
 * requests are valid.
 */
@NullMarked
package io.ballast.dns.net.doh;

import org.jspecify.annotations.NullMarked;
