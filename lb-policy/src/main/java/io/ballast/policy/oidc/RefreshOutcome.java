package io.ballast.policy.oidc;

import io.ballast.policy.oidc.session.Session;
import io.ballast.policy.oidc.session.SessionContent;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of the refresh of a session.
 *
 * @param content the content of the renewed session; null if the refresh failed
 * @param renewed the renewed session; null if the refresh failed
 * @param lines the header lines that set the cookie of the renewed session
 * @param retryMillis when a failed refresh may be tried again, in milliseconds since 1970; {@link Long#MAX_VALUE} if the
 *     provider has refused it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RefreshOutcome(
        @Nullable SessionContent content, @Nullable Session renewed, byte[] lines, long retryMillis) {

    static RefreshOutcome failed(long retryMillis) {
        return new RefreshOutcome(null, null, new byte[0], retryMillis);
    }
}
