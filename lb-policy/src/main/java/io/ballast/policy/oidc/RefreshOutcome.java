package io.ballast.policy.oidc;

import io.ballast.policy.oidc.session.SessionContent;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of the refresh of a session.
 *
 * @param content the content of the renewed session; after a failure that may be temporary, the content whose refresh
 *     failed; null if the provider has refused it
 * @param isRenewed whether the refresh has succeeded
 * @param retryMillis when a failed refresh may be tried again, in milliseconds since 1970; {@link Long#MAX_VALUE} if the
 *     provider has refused it
 */
record RefreshOutcome(@Nullable SessionContent content, boolean isRenewed, long retryMillis) {

    static RefreshOutcome renewed(SessionContent content) {
        return new RefreshOutcome(content, /* isRenewed= */ true, /* retryMillis= */ 0);
    }

    /** The provider has refused the refresh. */
    static RefreshOutcome refused() {
        return new RefreshOutcome(null, /* isRenewed= */ false, Long.MAX_VALUE);
    }

    /** The refresh may be tried again. The client may have an older cookie than {@code content}. */
    static RefreshOutcome failed(SessionContent content, long retryMillis) {
        return new RefreshOutcome(content, /* isRenewed= */ false, retryMillis);
    }

    /** The content of the renewed session; null if the refresh failed. */
    @Nullable SessionContent renewed() {
        return isRenewed ? content : null;
    }
}
