package io.ballast.http.config;

/**
 * What happens to what clients say about themselves in {@code X-Forwarded-For}, {@code -Proto}, {@code -Host}, {@code
 * -Port} and {@code Forwarded} (RFC 7239). What backends are told instead is a matter of {@link ForwardingHeader}.
 */
public enum Forwarding {
    /** What the client sent under these names is removed, and ours is sent: clients are not trusted. */
    OVERWRITE,
    /** Ours is appended to what the client sent, and nothing is sent that contradicts it. */
    APPEND,
    /** Nothing is added or removed. */
    OFF
}
