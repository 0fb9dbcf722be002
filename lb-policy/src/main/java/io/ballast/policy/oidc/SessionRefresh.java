package io.ballast.policy.oidc;

import io.ballast.policy.oidc.session.Session;
import io.ballast.policy.oidc.session.SessionContent;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A refresh of a session, which is in progress or has ended. Thread safety: all methods may be called concurrently.
 */
final class SessionRefresh {

    /** How long after a refresh other requests may still send the old cookie. */
    static final long KEPT_MILLIS = 300_000;

    private final CompletableFuture<RefreshOutcome> outcome = new CompletableFuture<>();
    private final long ofMillis;
    private final long untilMillis;
    private volatile boolean confirmed;

    /** @param before the session that is refreshed */
    SessionRefresh(SessionContent before, long nowMillis) {
        this.ofMillis = before.renewMillis();
        this.untilMillis = nowMillis + KEPT_MILLIS;
    }

    CompletableFuture<RefreshOutcome> outcome() {
        return outcome;
    }

    /** Whether a session is newer than the session that is refreshed. */
    boolean isBefore(Session session) {
        return session.renewMillis() > ofMillis;
    }

    /**
     * Records that the client has sent a cookie. If this is the cookie of the renewed session, the client is known to
     * have received it.
     */
    void confirm(Session session) {
        SessionContent renewed = renewed();
        if (renewed != null && session.renewMillis() >= renewed.renewMillis()) {
            confirmed = true;
        }
    }

    private @Nullable SessionContent renewed() {
        RefreshOutcome known = outcome.getNow(null);
        return known == null ? null : known.renewed();
    }

    /**
     * Whether the refresh is no longer needed. A renewed session is needed until it ends, unless the client has sent
     * its cookie: until then, the client may have only the old cookie, whose refresh token cannot be used again.
     *
     * @param isFull whether the table is full; then, renewed sessions with an expired access token are not needed
     *     either
     */
    boolean isOver(long now, boolean isFull) {
        SessionContent renewed = renewed();
        if (renewed == null) {
            return untilMillis <= now;
        }
        boolean isExpired = untilMillis <= now && renewed.renewMillis() <= now;
        return renewed.endMillis() <= now || (isExpired && (confirmed || isFull));
    }
}
