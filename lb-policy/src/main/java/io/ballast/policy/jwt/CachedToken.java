package io.ballast.policy.jwt;

/** An entry of a {@link TokenCache}. Thread safety: all methods may be called concurrently. */
public interface CachedToken {

    /** The first time at which the entry is no longer valid, in milliseconds since 1970. */
    long expiresMillis();

    /** Whether the entry is valid at a time in milliseconds since 1970. */
    boolean isValid(long nowMillis);
}
