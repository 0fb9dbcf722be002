/**
 * Determines the client of a connection and writes the headers that identify it to backends:
 * {@code X-Forwarded-*}, {@code Forwarded} (RFC 7239) and {@code Via}. Start with {@link
 * io.ballast.http.forwarding.ClientAddress}.
 *
 * <p>All classes of this package are confined to one event loop.
 */
@NullMarked
package io.ballast.http.forwarding;

import org.jspecify.annotations.NullMarked;
