package io.ballast.core.config;

/**
 * What backends are told about the client in {@code X-Forwarded-For}, {@code -Proto}, {@code -Host}, {@code -Port},
 * {@code Forwarded} (RFC 7239) and {@code Via}.
 */
public enum Forwarding {
    /** What the client sent under these names is removed and replaced: clients are not trusted. */
    OVERWRITE,
    /** Ours is appended to what the client sent. */
    APPEND,
    /** Nothing is added or removed. */
    OFF
}
