package io.ballast.http.config;

/**
 * How the forwarding headers that clients send are handled: {@code X-Forwarded-For}, {@code -Proto}, {@code
 * -Host}, {@code -Port} and {@code Forwarded} (RFC 7239). {@link ForwardingHeader} selects the headers that
 * backends receive.
 */
public enum Forwarding {
    /** The balancer's own headers replace the client's headers, because clients are not trusted. */
    OVERWRITE,
    /** The balancer appends its values to the client's values, and removes contradictory headers. */
    APPEND,
    /** The balancer neither adds nor removes forwarding headers. */
    OFF
}
