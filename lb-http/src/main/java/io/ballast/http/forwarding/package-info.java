/**
 * Who the client of a connection is, and what backends are told about it: {@code X-Forwarded-*}, {@code Forwarded} (RFC
 * 7239) and {@code Via}. Start with {@link io.ballast.http.forwarding.ClientAddress}.
 *
 * <p>Everything here is confined to one event loop.
 */
@NullMarked
package io.ballast.http.forwarding;

import org.jspecify.annotations.NullMarked;
