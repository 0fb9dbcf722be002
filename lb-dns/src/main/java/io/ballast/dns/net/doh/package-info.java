/**
 * DNS over HTTPS (<a href="https://datatracker.ietf.org/doc/html/rfc8484">RFC 8484</a>): {@link
 * io.ballast.dns.net.doh.DohProtocol} lets TLS settle on a version of HTTP; {@code Http2Requests} and {@code
 * Http1Requests} find the query in a request, by the rules of {@code DohRequest}, and wrap up its answer.
 */
@NullMarked
package io.ballast.dns.net.doh;

import org.jspecify.annotations.NullMarked;
