package io.ballast.policy.oidc;

import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.PendingDecision;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.policy.oidc.OidcPolicy.Parts;
import io.ballast.policy.oidc.login.OidcCounters.Result;
import io.ballast.policy.oidc.provider.Provider.Known;
import io.ballast.policy.oidc.provider.ProviderException;
import io.ballast.policy.oidc.provider.UserGrant;
import io.ballast.policy.oidc.session.Session;
import io.ballast.policy.oidc.session.SessionContent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Renews sessions with their refresh tokens (RFC 6749 section 6) before the provider's access tokens expire. Each
 * session has at most one refresh in progress, even if several policies accept it. The request that has started the
 * refresh waits, so that its response sets the new cookie. Other requests use the old session while it is valid, and
 * otherwise wait. Later requests with the old cookie get the new one, because a browser may send several requests at
 * once, or the response with the new cookie may be lost.
 *
 * <p>If the provider refuses, the old session is used while it is valid: another instance of Ballast may have just
 * refreshed it, and its response contains the new cookie. When the old session is no longer valid, the user must log in
 * again. If the provider is unreachable, the old session is used while it is valid too.
 *
 * <p>Thread safety: all methods may be called concurrently. Not called for sessions that need no refresh.
 */
final class Refreshes {

    static final long RETRY_MILLIS = 10_000;

    private static final long WAIT_NANOS = Duration.ofSeconds(15).toNanos();
    /** How long a request whose session is valid waits for the new cookie. */
    private static final long VALID_WAIT_NANOS = Duration.ofSeconds(2).toNanos();

    /** Prevents shared caches from storing the response with the cookie. */
    private static final byte[] PRIVATE = "Cache-Control: private\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Parts parts;
    private final RefreshTable table;
    private final BiFunction<Session, PolicyExchange, PolicyDecision> accept;
    private final LongSupplier millis;

    /** @param accept lets a request with a session pass, or refuses it */
    Refreshes(Parts parts, BiFunction<Session, PolicyExchange, PolicyDecision> accept, LongSupplier millis) {
        this.parts = parts;
        this.table = parts.refreshes();
        this.accept = accept;
        this.millis = millis;
    }

    /** Evaluates a request whose session should be refreshed. */
    PolicyDecision decide(Session session, PolicyExchange exchange, boolean https) {
        SessionRefresh last = table.find(session.id());
        if (last == null) {
            return refresh(session, parts.sessions().read(exchange, https), /* last= */ null, exchange, https);
        }
        RefreshOutcome outcome = last.outcome().getNow(null);
        if (outcome == null) {
            return isValid(session) ? accept.apply(session, exchange) : await(last, session, exchange, https);
        }
        SessionContent renewed = outcome.renewed();
        if (renewed != null && renewed.renewMillis() > session.renewMillis()) {
            return millis.getAsLong() < renewed.renewMillis()
                    ? acceptRenewed(renewed, exchange, https)
                    : refresh(session, renewed, last, exchange, https);
        }
        if (renewed == null && !last.isBefore(session) && millis.getAsLong() < outcome.retryMillis()) {
            return withoutRefresh(session, exchange, https);
        }
        return refresh(session, newest(parts.sessions().read(exchange, https), outcome), last, exchange, https);
    }

    /** Returns the content of the cookie, or that of an earlier attempt if its refresh token is newer. */
    private static @Nullable SessionContent newest(@Nullable SessionContent cookie, RefreshOutcome attempt) {
        SessionContent tried = attempt.content();
        return tried != null && (cookie == null || tried.issuedMillis() > cookie.issuedMillis()) ? tried : cookie;
    }

    private boolean isValid(Session session) {
        return millis.getAsLong() < session.renewMillis();
    }

    /**
     * Starts a refresh of the session, and evaluates the request when it has ended. If no refresh can be started,
     * evaluates the request with the old session.
     *
     * @param content the content of the newest session; null if it cannot be read
     * @param last the previous refresh of the session, which the new one replaces; null if there was none
     */
    private PolicyDecision refresh(
            Session session,
            @Nullable SessionContent content,
            @Nullable SessionRefresh last,
            PolicyExchange exchange,
            boolean https) {
        SessionRefresh started = content == null ? null : start(content, last, https);
        return started == null ? withoutRefresh(session, exchange, https) : await(started, session, exchange, https);
    }

    private PolicyDecision withoutRefresh(Session session, PolicyExchange exchange, boolean https) {
        return isValid(session) && !parts.ended().contains(session.id())
                ? accept.apply(session, exchange)
                : parts.logins().challenge(exchange, https);
    }

    private PolicyDecision acceptRenewed(SessionContent renewed, PolicyExchange exchange, boolean https) {
        parts.sessions().lines(renewed, https).ifPresent(exchange.responseLines()::append);
        exchange.responseLines().append(PRIVATE);
        return accept.apply(parts.sessions().session(renewed), exchange);
    }

    /** Evaluates a request when a refresh has ended, or after a limited time. */
    private PolicyDecision await(SessionRefresh refresh, Session session, PolicyExchange exchange, boolean https) {
        CompletableFuture<Continuation> later = exchange.later(
                isValid(session) ? VALID_WAIT_NANOS : WAIT_NANOS, (next, step) -> withoutRefresh(session, next, https));
        refresh.outcome()
                .whenComplete((outcome, failure) -> later.complete((next, step) -> {
                    SessionContent renewed = outcome == null ? null : outcome.renewed();
                    return renewed == null || parts.ended().contains(renewed.id())
                            ? withoutRefresh(session, next, https)
                            : acceptRenewed(renewed, next, https);
                }));
        return new PendingDecision(later);
    }

    // ---- refreshing

    /** Starts a refresh, or returns the one that another thread has just started; null if none is possible now. */
    private @Nullable SessionRefresh start(SessionContent content, @Nullable SessionRefresh last, boolean https) {
        long now = millis.getAsLong();
        if (last == null) {
            table.sweep(now);
        }
        Known known = parts.tokens().provider().current();
        if (known == null || (last == null && table.isFull())) {
            return null;
        }
        SessionRefresh started = new SessionRefresh(content, now);
        if (!table.replace(content.id(), last, started)) {
            return table.find(content.id());
        }
        CompletableFuture<UserGrant> grant = parts.tokens().refresh(known, content.grant());
        if (grant == null) {
            started.outcome().complete(RefreshOutcome.failed(content, now + RETRY_MILLIS));
        } else {
            grant.whenComplete((renewed, failure) ->
                    finish(started, renewed == null ? failed(content, failure) : renewed(content, renewed, https)));
        }
        return started;
    }

    private void finish(SessionRefresh refresh, RefreshOutcome outcome) {
        parts.counters().count(outcome.isRenewed() ? Result.REFRESHED : Result.REFRESH_FAILED);
        table.sweep(millis.getAsLong());
        refresh.outcome().complete(outcome);
    }

    private RefreshOutcome renewed(SessionContent before, UserGrant grant, boolean https) {
        long now = millis.getAsLong();
        SessionContent content = new SessionContent(before.id(), now, before.endMillis(), grant);
        boolean isTooLarge = parts.sessions().lines(content, https).isEmpty();
        return isTooLarge ? RefreshOutcome.refused() : RefreshOutcome.renewed(content);
    }

    private RefreshOutcome failed(SessionContent content, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        long now = millis.getAsLong();
        ProviderException.Kind kind = cause instanceof ProviderException reason ? reason.kind() : null;
        if (kind == ProviderException.Kind.ID_TOKEN) {
            parts.ended().add(content.id(), content.endMillis(), now);
        }
        boolean isRefused = kind == ProviderException.Kind.ID_TOKEN || kind == ProviderException.Kind.GRANT;
        return isRefused ? RefreshOutcome.refused() : RefreshOutcome.failed(content, now + RETRY_MILLIS);
    }
}
