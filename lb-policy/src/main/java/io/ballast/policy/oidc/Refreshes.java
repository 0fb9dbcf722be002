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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Renews sessions with their refresh tokens (RFC 6749 section 6) before the provider's access tokens expire. Of each
 * session, one refresh is in progress at a time. Requests during it use the old session while it is valid, and otherwise
 * wait. Requests with the old cookie get the new one, because a browser may send several at once. If the
 * provider refuses, the user logs in anew; if it is unreachable, the old session is used while it is valid.
 *
 * <p>Thread safety: all methods may be called concurrently. Not called for sessions that need no refresh.
 */
final class Refreshes {

    static final int MAX = 10_000;
    static final long RETRY_MILLIS = 10_000;

    private static final long KEPT_MILLIS = 300_000;
    private static final long SWEEP_MILLIS = 1000;
    private static final long WAIT_NANOS = Duration.ofSeconds(15).toNanos();

    /** So that no shared cache stores the response with the cookie. */
    private static final byte[] PRIVATE = "Cache-Control: private\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Parts parts;
    private final BiFunction<Session, PolicyExchange, PolicyDecision> accept;
    private final LongSupplier millis;
    private final ConcurrentHashMap<String, Refresh> bySession = new ConcurrentHashMap<>();
    /** When old entries are removed next. */
    private final AtomicLong nextSweepMillis = new AtomicLong();

    /**
     * A refresh, from its start until requests with the old cookie are unlikely.
     *
     * @param untilMillis when the entry is removed
     */
    private record Refresh(CompletableFuture<Outcome> outcome, long untilMillis) {

        /**
         * Whether the entry is not needed any more. The entry of a renewed session stays as long as its token is valid: the
         * browser may not have got the new cookie yet, and the refresh token of the old cookie cannot be used again.
         */
        boolean isOver(long now) {
            Outcome known = outcome.getNow(null);
            Session renewed = known == null ? null : known.renewed();
            return untilMillis <= now && (renewed == null || renewed.renewMillis() <= now);
        }
    }

    /**
     * The outcome of a refresh.
     *
     * @param renewed the renewed session; null if the refresh failed
     * @param lines the header lines that set the cookie of the renewed session
     * @param retryMillis when a failed refresh may be tried again; {@link Long#MAX_VALUE} if the provider has refused it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Outcome(
            @Nullable SessionContent content, @Nullable Session renewed, byte[] lines, long retryMillis) {

        static Outcome failed(long retryMillis) {
            return new Outcome(null, null, new byte[0], retryMillis);
        }
    }

    /** @param accept lets a request with a session pass, or refuses it */
    Refreshes(Parts parts, BiFunction<Session, PolicyExchange, PolicyDecision> accept, LongSupplier millis) {
        this.parts = parts;
        this.accept = accept;
        this.millis = millis;
    }

    /** Decides about a request whose session should be refreshed. */
    PolicyDecision decide(Session session, PolicyExchange exchange, boolean https) {
        long now = millis.getAsLong();
        Refresh last = bySession.get(session.id());
        Outcome outcome = last == null ? null : last.outcome().getNow(null);
        if (last != null && outcome == null) {
            return meanwhile(session, last, exchange, https, now);
        }
        Session renewed = outcome == null ? null : outcome.renewed();
        if (outcome != null && renewed != null && renewed.renewMillis() > session.renewMillis()) {
            return now < renewed.renewMillis()
                    ? acceptRenewed(outcome, renewed, exchange)
                    : refresh(session, outcome.content(), last, exchange, https);
        }
        if (outcome != null && renewed == null && now < outcome.retryMillis()) {
            return withoutRefresh(session, exchange, https, now);
        }
        return refresh(session, parts.sessions().read(exchange, https), last, exchange, https);
    }

    /**
     * Decides about a request that needs a new refresh.
     *
     * @param content the content of the newest session
     */
    private PolicyDecision refresh(
            Session session,
            @Nullable SessionContent content,
            @Nullable Refresh last,
            PolicyExchange exchange,
            boolean https) {
        long now = millis.getAsLong();
        Refresh started = content == null ? null : start(content, last, https, now);
        return started == null
                ? withoutRefresh(session, exchange, https, now)
                : meanwhile(session, started, exchange, https, now);
    }

    private PolicyDecision withoutRefresh(Session session, PolicyExchange exchange, boolean https, long now) {
        return now < session.renewMillis()
                ? accept.apply(session, exchange)
                : parts.logins().challenge(exchange, https);
    }

    private PolicyDecision acceptRenewed(Outcome outcome, Session renewed, PolicyExchange exchange) {
        exchange.responseLines().append(outcome.lines());
        exchange.responseLines().append(PRIVATE);
        return accept.apply(renewed, exchange);
    }

    /** Decides about a request during a refresh. */
    private PolicyDecision meanwhile(
            Session session, Refresh refresh, PolicyExchange exchange, boolean https, long now) {
        if (now < session.renewMillis()) {
            return accept.apply(session, exchange);
        }
        CompletableFuture<Continuation> later =
                exchange.later(WAIT_NANOS, (next, step) -> parts.logins().challenge(next, https));
        refresh.outcome()
                .whenComplete((outcome, failure) -> later.complete((next, step) -> {
                    Session renewed = outcome == null ? null : outcome.renewed();
                    return renewed == null || parts.ended().contains(renewed.id())
                            ? parts.logins().challenge(next, https)
                            : acceptRenewed(outcome, renewed, next);
                }));
        return new PendingDecision(later);
    }

    // ---- refreshing

    /** Starts a refresh, unless another thread has just started one; returns null if none is possible now. */
    private @Nullable Refresh start(SessionContent content, @Nullable Refresh last, boolean https, long now) {
        if (last == null) {
            sweep(now);
        }
        Known known = parts.tokens().provider().current();
        if (known == null || (last == null && bySession.size() >= MAX)) {
            return null;
        }
        Refresh started = new Refresh(new CompletableFuture<>(), now + KEPT_MILLIS);
        boolean isFirst = last == null
                ? bySession.putIfAbsent(content.id(), started) == null
                : bySession.replace(content.id(), last, started)
                        || bySession.putIfAbsent(content.id(), started) == null; // the last one was removed meanwhile
        if (!isFirst) {
            return bySession.get(content.id());
        }
        CompletableFuture<UserGrant> grant = parts.tokens().refresh(known, content.grant());
        if (grant == null) {
            started.outcome().complete(Outcome.failed(now + RETRY_MILLIS));
        } else {
            grant.whenComplete((renewed, failure) ->
                    finish(started, renewed == null ? failed(content, failure) : renewed(content, renewed, https)));
        }
        return started;
    }

    private void finish(Refresh refresh, Outcome outcome) {
        refresh.outcome().complete(outcome);
        parts.counters().count(outcome.renewed() == null ? Result.REFRESH_FAILED : Result.REFRESHED);
        sweep(millis.getAsLong());
    }

    /** Removes old entries, at most once a second. */
    private void sweep(long now) {
        long sweep = nextSweepMillis.get();
        if (now >= sweep && nextSweepMillis.compareAndSet(sweep, now + SWEEP_MILLIS)) {
            bySession.values().removeIf(old -> old.isOver(now));
        }
    }

    private Outcome renewed(SessionContent before, UserGrant grant, boolean https) {
        long now = millis.getAsLong();
        SessionContent content = new SessionContent(before.id(), now, before.endMillis(), grant);
        Optional<byte[]> lines = parts.sessions().lines(content, https);
        if (lines.isEmpty()) {
            return Outcome.failed(Long.MAX_VALUE);
        }
        return new Outcome(content, parts.sessions().session(content), lines.get(), /* retryMillis= */ 0);
    }

    private Outcome failed(SessionContent content, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        long now = millis.getAsLong();
        boolean isRefused = cause instanceof ProviderException reason
                && (reason.kind() == ProviderException.Kind.GRANT || reason.kind() == ProviderException.Kind.ID_TOKEN);
        if (isRefused) {
            parts.ended().add(content.id(), content.endMillis(), now);
            return Outcome.failed(Long.MAX_VALUE);
        }
        return Outcome.failed(now + RETRY_MILLIS);
    }
}
