package io.ballast.policy.jwt;

import io.ballast.http.policy.Identity;
import io.ballast.policy.jwt.key.VerificationKey;

/**
 * The result of a verification; all requests with the token share it. Immutable; the array must not be modified.
 *
 * @param key the key that verified the token
 * @param expiresMillis the first time at which the token is no longer valid, in milliseconds since 1970
 * @param permits whether the token has all required claims
 * @param requestLines the header lines for backends
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared
public record VerifiedToken(
        VerificationKey key, long expiresMillis, boolean permits, Identity identity, byte[] requestLines)
        implements CachedToken {

    /** Whether the token is valid at a time: it has not expired, and its issuer has not removed its key. */
    @Override
    public boolean isValid(long nowMillis) {
        return nowMillis < expiresMillis && !key.isRetired();
    }
}
