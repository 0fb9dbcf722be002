/**
 * The DNS wire format (<a href="https://datatracker.ietf.org/doc/html/rfc1035#section-4">RFC 1035 section
 * 4</a>), read and written in place.
 *
 * <p>Start with {@link io.ballast.dns.wire.Query}, a received query that is parsed without creating objects.
 * {@link io.ballast.dns.wire.QueryName} is the name in its question, and {@link io.ballast.dns.wire.NameHash}
 * the keyed hash for name lookups. {@link io.ballast.dns.wire.Response} writes the common parts of every
 * response.
 */
@NullMarked
package io.ballast.dns.wire;

import org.jspecify.annotations.NullMarked;
