package io.ballast.http.config;

/**
 * The treatment of the forwarding headers that clients send: {@code X-Forwarded-For}, {@code -Proto}, {@code -Host},
 * {@code -Port} and {@code Forwarded} (RFC 7239). {@link ForwardingHeader} selects the headers that backends receive.
 */
public enum Forwarding {
    /** Headers of the client are replaced by the balancer's own: clients are not trusted. */
    OVERWRITE,
    /** The balancer's values are appended to the client's; contradicting headers are removed. */
    APPEND,
    /** Nothing is added or removed. */
    OFF
}
