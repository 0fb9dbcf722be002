package io.ballast.policy.cache;

import io.ballast.http.policy.BackendRequest;
import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.LocalResponse;
import io.ballast.http.policy.PendingDecision;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.policy.cache.rule.CacheDirectives;
import io.ballast.policy.cache.rule.HeaderLines;
import io.ballast.policy.cache.rule.Validity;
import io.ballast.policy.cache.store.ResponseStore;
import io.ballast.policy.cache.store.StoredHead;
import io.ballast.policy.cache.store.StoredResponse;
import io.ballast.policy.cache.store.UrlEntry;
import io.ballast.policy.cache.store.UrlKey;
import io.ballast.policy.cache.store.Variant;
import io.ballast.policy.config.CacheConfig;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Fetches responses from backends. If one response may serve several concurrent requests, the first request fetches it,
 * and the other requests wait.
 *
 * <p>Thread safety: one object serves all event loops.
 */
final class CollapsedForwarding {

    /** Evaluates a request; called again after a wait without a result. */
    @FunctionalInterface
    interface Decision {

        /** @param waits how often the request has waited */
        PolicyDecision decide(PolicyExchange exchange, int step, int waits);
    }

    /** How often a request waits; then it goes to a backend. */
    private static final int MAX_WAITS = 3;

    private static final int FIRST_SERVER_ERROR = 500;

    private final ResponseStore store;
    private final CacheLoop[] loops;
    private final Intake intake;
    private final Hits hits;
    private final LongSupplier nanoTime;
    private final Decision decision;
    private final PendingFetches fetches;
    private final long maxWaitNanos;

    CollapsedForwarding(
            CacheConfig config,
            ResponseStore store,
            CacheLoop[] loops,
            Intake intake,
            Hits hits,
            LongSupplier nanoTime,
            Decision decision) {
        this.store = store;
        this.loops = loops;
        this.intake = intake;
        this.hits = hits;
        this.nanoTime = nanoTime;
        this.decision = decision;
        this.maxWaitNanos = config.maxWait().toNanos();
        this.fetches = new PendingFetches(config.maxWaiting(), Math.max(1, 2 * maxWaitNanos));
    }

    Intake intake() {
        return intake;
    }

    Hits hits() {
        return hits;
    }

    long now() {
        return nanoTime.getAsLong();
    }

    PendingFetches fetches() {
        return fetches;
    }

    // ---- requests

    /**
     * Fetches a response from a backend, or waits for the response that another request is fetching.
     *
     * @param waits how often the request has waited
     * @param entry the entry of the URL; null if there is none
     * @param stale the stored response, which must not be used without validation; null if there is none
     * @param directives the directives of the request that take effect
     */
    PolicyDecision fetch(
            PolicyExchange exchange,
            int step,
            int waits,
            @Nullable UrlEntry entry,
            @Nullable Variant stale,
            FetchedRequest request,
            ClientConditions client,
            CacheDirectives directives) {
        long now = nanoTime.getAsLong();
        BackendRequest composed =
                stale != null && Revalidation.isUseful(stale, now) ? exchange.composeRequest(step) : null;
        boolean isAlone = composed == null && (client.mayLackBody() || (entry != null && entry.isUncacheable(now)));
        if (isAlone || waits >= MAX_WAITS) {
            return forward(exchange, step, CacheExchange.recording(request, /* fetch= */ null));
        }
        PendingFetch.Key id = fetchKey(request, selection(entry, stale, request), now);
        PendingFetch running = fetches.find(id, now);
        if (running != null && running.shared() != null) {
            return useShared(exchange, step, running, request, client, directives);
        }
        PendingFetch started = running == null ? fetches.start(id, now) : null;
        if (running == null && started == null) {
            running = fetches.find(id, now); // another request has just become the leader
        }
        if (started != null && !Objects.equals(current(exchange, request.key()), stale)) {
            forwardWaiting(started); // another fetch has just stored a response
            return decision.decide(exchange, step, waits + 1);
        }
        if (started != null && composed == null) {
            return forward(exchange, step, CacheExchange.recording(request, started));
        }
        PendingFetch joined = started == null ? running : started;
        long maxWait = started == null ? maxWaitNanos : Revalidation.MAX_WAIT_NANOS;
        PendingFetch.Waiter waiter = new PendingFetch.Waiter(
                exchange.later(maxWait, (later, at) -> forwardAlone(later, at, request)), request.lines(), waits);
        if (joined == null || !fetches.join(joined, waiter)) {
            waiter.future().cancel(/* mayInterruptIfRunning= */ false);
            if (started != null) {
                return forward(exchange, step, CacheExchange.recording(request, started));
            }
            return useShared(exchange, step, joined, request, client, directives);
        }
        if (started != null && composed != null && stale != null) {
            revalidate(exchange, composed, started, request, stale, waiter);
        }
        return new PendingDecision(waiter.future());
    }

    /** Starts a background revalidation, unless a fetch of the same response is in progress. */
    void refresh(PolicyExchange exchange, int step, Variant stale, FetchedRequest request) {
        PendingFetch.Key id = new PendingFetch.Key(request.key(), request.context(), stale.selection());
        long now = nanoTime.getAsLong();
        if (fetches.find(id, now) != null) {
            return;
        }
        BackendRequest composed = exchange.composeRequest(step);
        PendingFetch fetch = composed == null ? null : fetches.start(id, now);
        if (composed != null && fetch != null) {
            revalidate(exchange, composed, fetch, request, stale, /* initiator= */ null);
        }
    }

    private void revalidate(
            PolicyExchange exchange,
            BackendRequest composed,
            PendingFetch fetch,
            FetchedRequest request,
            Variant stale,
            PendingFetch.@Nullable Waiter initiator) {
        new Revalidation(this, loops[exchange.loop()], fetch, request, stale, initiator).send(exchange, composed);
    }

    /**
     * Returns the key of the fetch whose response can probably answer the request.
     *
     * @param selection the values of the headers that are known to select a response
     */
    private PendingFetch.Key fetchKey(FetchedRequest request, String selection, long now) {
        PendingFetch.Key key = new PendingFetch.Key(request.key(), request.context(), selection);
        PendingFetch running = fetches.find(key, now);
        PendingFetch.Shared shared = running == null ? null : running.shared();
        if (shared == null) {
            return key;
        }
        String selected = selectionOf(shared.variant(), request.lines());
        boolean fits = selected.equals(shared.variant().selection());
        return fits ? key : new PendingFetch.Key(request.key(), request.context(), selected);
    }

    /** Returns the values of the request headers that are listed in the {@code Vary} header of the response. */
    private static String selectionOf(Variant variant, HeaderLines request) {
        return variant.response().head().metadata().vary().select(request::values);
    }

    private boolean isFresh(Variant variant, CacheDirectives request) {
        StoredHead head = variant.response().head();
        return head.validity().use(head.residentNanos(now()), request) == Validity.Use.DIRECT;
    }

    /** Answers a request with a response that another request receives, or forwards it. */
    private PolicyDecision useShared(
            PolicyExchange exchange,
            int step,
            @Nullable PendingFetch running,
            FetchedRequest request,
            ClientConditions client,
            CacheDirectives directives) {
        PendingFetch.Shared shared = running == null ? null : running.shared();
        if (shared == null || shared.removals() != request.removals()) {
            return forwardAlone(exchange, step, request);
        }
        Variant variant = shared.variant();
        boolean fits = selectionOf(variant, request.lines()).equals(variant.selection());
        LocalResponse answer =
                fits && isFresh(variant, directives) ? hits.answer(variant.response(), client, CacheOutcome.HIT) : null;
        if (answer == null) {
            return forwardAlone(exchange, step, request);
        }
        loops[exchange.loop()].count(CacheOutcome.HIT);
        return answer;
    }

    /** Returns the values of the headers that select a response, as far as they are known before the response. */
    private static String selection(@Nullable UrlEntry entry, @Nullable Variant stale, FetchedRequest request) {
        if (stale != null) {
            return stale.selection();
        }
        List<Variant> variants = entry == null ? List.of() : entry.variants();
        return variants.isEmpty() ? "" : selectionOf(variants.get(0), request.lines());
    }

    /** The stored response for the request of an exchange; null if there is none. */
    private @Nullable Variant current(PolicyExchange exchange, UrlKey key) {
        UrlEntry entry = store.find(key);
        return entry == null ? null : loops[exchange.loop()].view(exchange).select(entry);
    }

    /** Forwards a request for which no other request waits. */
    private PolicyDecision forwardAlone(PolicyExchange exchange, int step, FetchedRequest request) {
        loops[exchange.loop()].count(CacheOutcome.UNCOORDINATED);
        return forward(exchange, step, CacheExchange.recording(request, /* fetch= */ null));
    }

    /** Forwards a request, and keeps its state under a mark until the request ends. */
    PolicyDecision forward(PolicyExchange exchange, int step, CacheExchange forwarded) {
        CacheLoop loop = loops[exchange.loop()];
        loop.count(forwarded.invalidates() ? CacheOutcome.BYPASS : CacheOutcome.MISS);
        exchange.setMark(step, loop.add(forwarded));
        exchange.awaitResponse(step);
        return PolicyDecision.PASS;
    }

    // ---- the end of a fetch

    /**
     * Answers the waiting requests with a response that is being received; the caller keeps its reference. Requests
     * that come later get it too, while it is fresh.
     *
     * @param fetch the fetch that gets the response; null if no request waits for it
     */
    void share(CacheLoop loop, FetchedRequest request, @Nullable PendingFetch fetch, StoredResponse response) {
        if (fetch == null) {
            return;
        }
        Variant variant = intake.variant(request, response);
        if (variant == null) {
            forwardWaiting(fetch);
        } else if (isFresh(variant, CacheDirectives.NONE)) {
            PendingFetch.Key key = new PendingFetch.Key(request.key(), request.context(), variant.selection());
            PendingFetch.Shared shared = new PendingFetch.Shared(variant, key, request.removals());
            fetches.share(fetch, shared, waiter -> share(loop, waiter, variant, CacheOutcome.HIT));
        } else {
            complete(fetch, waiter -> share(loop, waiter, variant, CacheOutcome.HIT));
        }
    }

    /**
     * Stores a complete response, and answers the waiting requests with it; the caller keeps its reference to the
     * response.
     *
     * @param fetch the fetch that gets the response; null if no request waits for it
     */
    void finish(CacheLoop loop, FetchedRequest request, @Nullable PendingFetch fetch, StoredResponse response) {
        Variant stored = intake.store(request, response);
        loop.count(stored == null ? CacheOutcome.UNCACHEABLE : CacheOutcome.STORED);
        if (fetch != null) {
            complete(fetch, waiter -> share(loop, waiter, stored, CacheOutcome.HIT));
        }
    }

    /** Ends a fetch whose response is not stored: all waiting requests go to backends. */
    void discard(CacheLoop loop, FetchedRequest request, @Nullable PendingFetch fetch, int status) {
        loop.count(CacheOutcome.UNCACHEABLE);
        if (fetch == null) {
            return;
        }
        if (status < FIRST_SERVER_ERROR) {
            intake.setUncacheable(request.key());
        }
        forwardWaiting(fetch);
    }

    /** Called when the request that leads a fetch ends without a result: a waiting request becomes the leader. */
    void abandon(@Nullable PendingFetch fetch) {
        if (fetch != null) {
            fetches.handOver(fetch, new Lead(fetch));
        }
    }

    /** Ends a fetch, and completes the decisions for all requests that wait for it. */
    void complete(PendingFetch fetch, Function<PendingFetch.Waiter, Continuation> decisions) {
        fetches.complete(fetch, decisions);
    }

    /** Ends a fetch without a result: all waiting requests go to backends. */
    void forwardWaiting(PendingFetch fetch) {
        complete(fetch, waiter -> decideWithoutWait());
    }

    /**
     * Returns a continuation that evaluates a request again, without another wait, because the fetch had no result for
     * it.
     */
    Continuation decideWithoutWait() {
        return (exchange, step) -> decision.decide(exchange, step, /* waits= */ MAX_WAITS);
    }

    /** Answers a waiting request with the response to another request, if the response can be used for it. */
    Continuation share(CacheLoop loop, PendingFetch.Waiter waiter, @Nullable Variant stored, CacheOutcome outcome) {
        if (stored == null) {
            return decideWithoutWait();
        }
        StoredResponse response = stored.response();
        boolean fits = stored.selection().equals(selectionOf(stored, waiter.lines()));
        LocalResponse answer = fits ? hits.answer(response, ClientConditions.of(waiter.lines()), outcome) : null;
        if (answer == null) {
            return fits ? decideWithoutWait() : (exchange, step) -> decision.decide(exchange, step, waiter.waits() + 1);
        }
        loop.count(outcome);
        return answer;
    }

    /**
     * Makes a waiting request the leader of a fetch. If that request has ended, another waiting request becomes the
     * leader.
     */
    private final class Lead implements Continuation {

        private final PendingFetch fetch;

        Lead(PendingFetch fetch) {
            this.fetch = fetch;
        }

        @Override
        public PolicyDecision decide(PolicyExchange exchange, int step) {
            CacheLoop loop = loops[exchange.loop()];
            FetchedRequest request = intake.describe(loop.key(exchange), loop.view(exchange));
            return forward(exchange, step, CacheExchange.recording(request, fetch));
        }

        @Override
        public void dropped() {
            fetches.handOver(fetch, this);
        }
    }
}
