package io.ballast.policy.oidc.session;

import io.ballast.http.policy.Identity;
import io.ballast.policy.jwt.CachedToken;

/**
 * The part of a session that each request needs. Immutable; the array must not be modified.
 *
 * @param id see {@link SessionContent}
 * @param refreshMillis when the session should be refreshed; {@link Long#MAX_VALUE} for never. All times are in
 *     milliseconds since 1970
 * @param renewMillis the time until which the session is valid without a refresh; {@link Long#MAX_VALUE} if it needs
 *     none
 * @param endMillis when the session ends
 * @param permits whether the user has all required claims
 * @param requestLines the header lines for backends
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared
public record Session(
        String id,
        long refreshMillis,
        long renewMillis,
        long endMillis,
        boolean permits,
        Identity identity,
        byte[] requestLines)
        implements CachedToken {

    @Override
    public long expiresMillis() {
        return endMillis;
    }

    @Override
    public boolean isValid(long nowMillis) {
        return nowMillis < endMillis;
    }
}
