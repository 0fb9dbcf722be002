package io.ballast.policy.cache;

import io.ballast.core.hash.SipHash24;
import io.ballast.core.stats.Counters;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.policy.BackendRequest;
import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.LocalResponse;
import io.ballast.http.policy.PendingDecision;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import io.ballast.http.policy.ResponsePolicy;
import io.ballast.http.transform.BodyTransform;
import io.ballast.http.transform.ResponseEdit;
import io.ballast.policy.cache.rule.CacheDefaults;
import io.ballast.policy.cache.rule.CacheDirective;
import io.ballast.policy.cache.rule.CacheDirectives;
import io.ballast.policy.cache.rule.HeaderLines;
import io.ballast.policy.cache.rule.Validity;
import io.ballast.policy.cache.rule.VaryRule;
import io.ballast.policy.cache.store.BodyRecording;
import io.ballast.policy.cache.store.ResponseStore;
import io.ballast.policy.cache.store.StoredResponse;
import io.ballast.policy.cache.store.UrlEntry;
import io.ballast.policy.cache.store.UrlKey;
import io.ballast.policy.cache.store.Variant;
import io.ballast.policy.config.CacheConfig;
import io.ballast.policy.work.PolicyEnvironment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A shared cache (RFC 9111). A GET is answered from the store if it contains a usable response. Otherwise the first request
 * of a URL goes to its backend, and its response is recorded; further requests of the URL wait for it. A stale response
 * with a validator is revalidated by a request of the process itself.
 *
 * <p>Requests with credentials, and those of a route that authenticates clients, pass by the cache. Responses with {@code
 * Set-Cookie} are never stored.
 *
 * <p>Thread safety: one object serves all event loops. A hit takes no lock.
 */
public final class CachePolicy implements ResponsePolicy {

    private static final byte[] CACHE_CONTROL = ByteClasses.ascii("cache-control");
    private static final byte[] PRAGMA = ByteClasses.ascii("pragma");
    private static final CacheDirectives NO_CACHE = CacheDirectives.parse(List.of("no-cache"));

    /** How long requests of a URL do not wait for each other after a response that was not cacheable. */
    private static final long UNCACHEABLE_NANOS = TimeUnit.MINUTES.toNanos(2);
    /** How often a request waits; then it goes to a backend. */
    private static final int MAX_WAITS = 3;

    private static final int FIRST_ERROR = 400;
    private static final int FIRST_SERVER_ERROR = 500;
    private static final int GATEWAY_TIMEOUT = 504;
    private static final Refusal NOT_STORED =
            new Refusal(GATEWAY_TIMEOUT, "cache_only_if_cached", "The response is not in the cache.");

    private final CacheConfig config;
    private final ResponseStore store;
    private final UrlKeys keys;
    private final Intake intake;
    private final Hits hits;
    private final PendingFetches fetches;
    private final Revalidations revalidations;
    private final CacheLoop[] loops;
    private final Counters<CacheOutcome> outcomes;
    private final LongSupplier nanoTime;
    private final LongSupplier millis;

    /** @param hash has a random key */
    public CachePolicy(CacheConfig config, PolicyEnvironment environment, SipHash24 hash) {
        this.config = config;
        this.nanoTime = environment.nanoTime();
        this.millis = environment.millis();
        this.store = new ResponseStore(config.memoryBytes());
        this.keys = new UrlKeys(hash);
        CacheDefaults defaults = new CacheDefaults(
                (int) config.defaultTtl().toSeconds(),
                (int) config.staleWhileRevalidate().toSeconds(),
                (int) config.staleIfError().toSeconds());
        this.intake = new Intake(store, defaults, nanoTime, millis);
        this.hits = new Hits(config.statusHeader(), nanoTime, millis);
        this.fetches = new PendingFetches(
                config.maxWaiting(), Math.max(1, 2 * config.maxWait().toNanos()));
        this.outcomes = new Counters<>(CacheOutcome.class, environment.eventLoops());
        this.loops = new CacheLoop[environment.eventLoops()];
        Arrays.setAll(loops, loop -> new CacheLoop(outcomes.shard(loop)));
        this.revalidations = new Revalidations(this);
    }

    @Override
    public Phase phase() {
        return Phase.CACHE;
    }

    @Override
    public boolean observesEnd() {
        return true;
    }

    // ---- requests

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        exchange.setMark(step, CacheLoop.NO_MARK);
        return exchange.isDryRun(step) ? PolicyDecision.PASS : decide(exchange, step, /* waits= */ 0);
    }

    private PolicyDecision decide(PolicyExchange exchange, int step, int waits) {
        CacheLoop loop = loops[exchange.loop()];
        RequestView request = loop.view(exchange);
        RequestView.Kind kind = request.kind();
        UrlKey key = loop.key(exchange, keys);
        if (kind == RequestView.Kind.UNSAFE) {
            FetchedRequest changed = new FetchedRequest(key.copy(), "", HeaderLines.NONE, 0, 0);
            return forward(exchange, step, CacheExchange.invalidating(changed));
        }
        CacheDirectives directives = kind == RequestView.Kind.BYPASS ? CacheDirectives.NONE : directives(request);
        if (kind == RequestView.Kind.BYPASS || directives.has(CacheDirective.NO_STORE)) {
            loop.count(CacheOutcome.BYPASS);
            return PolicyDecision.PASS;
        }
        UrlEntry entry = store.find(key);
        Variant found = entry == null ? null : select(entry, request);
        ClientConditions client = ClientConditions.of(request, kind == RequestView.Kind.HEAD);
        PolicyDecision hit = entry == null || found == null
                ? null
                : hit(exchange, step, new Lookup(entry, found, request, key, client), directives);
        if (hit != null) {
            return hit;
        }
        if (directives.has(CacheDirective.ONLY_IF_CACHED)) {
            loop.count(CacheOutcome.ONLY_IF_CACHED);
            return NOT_STORED;
        }
        if (kind == RequestView.Kind.HEAD) {
            loop.count(CacheOutcome.MISS);
            return PolicyDecision.PASS;
        }
        return fetch(exchange, step, waits, entry, found, fetched(key, request), client);
    }

    private CacheDirectives directives(RequestView request) {
        if (!config.obeysClients()) {
            return CacheDirectives.NONE;
        }
        List<String> lines = request.values(CACHE_CONTROL);
        if (!lines.isEmpty()) {
            return CacheDirectives.parse(lines);
        }
        List<String> pragma = request.values(PRAGMA);
        boolean isNoCache = pragma.stream().anyMatch(value -> value.equalsIgnoreCase("no-cache"));
        return isNoCache ? NO_CACHE : CacheDirectives.NONE;
    }

    private FetchedRequest fetched(UrlKey key, RequestView request) {
        return new FetchedRequest(
                key.copy(), request.context(), request.copyLines(), store.removalCount(key), millis.getAsLong());
    }

    /** Returns the response for a request; null if there is none. */
    private static @Nullable Variant select(UrlEntry entry, RequestView request) {
        List<Variant> variants = entry.variants();
        if (variants.isEmpty()) {
            return null;
        }
        String context = request.context();
        VaryRule lastRule = VaryRule.NONE;
        String selection = "";
        for (Variant variant : variants) {
            VaryRule rule = variant.response().head().metadata().vary();
            if (!rule.equals(lastRule)) {
                lastRule = rule;
                selection = rule.select(request::values);
            }
            if (variant.context().equals(context) && variant.selection().equals(selection)) {
                return variant;
            }
        }
        return null;
    }

    private record Lookup(UrlEntry entry, Variant found, RequestView request, UrlKey key, ClientConditions client) {}

    /** Answers from the store, if the stored response may be used now; null otherwise. */
    private @Nullable PolicyDecision hit(PolicyExchange exchange, int step, Lookup lookup, CacheDirectives directives) {
        StoredResponse response = lookup.found().response();
        long resident = response.head().residentNanos(nanoTime.getAsLong());
        Validity.Use use = response.head().validity().use(resident, directives);
        if (use == Validity.Use.AFTER_VALIDATION) {
            return null;
        }
        CacheOutcome outcome = use == Validity.Use.DIRECT ? CacheOutcome.HIT : CacheOutcome.STALE;
        LocalResponse answer = hits.answer(response, lookup.client(), outcome);
        if (answer == null) {
            return null; // evicted since
        }
        lookup.entry().use();
        loops[exchange.loop()].count(outcome);
        if (use == Validity.Use.WHILE_REVALIDATING && !lookup.client().isHead()) {
            refresh(exchange, step, lookup);
        }
        return answer;
    }

    /** Starts a revalidation for which no request waits, unless one is in progress. */
    private void refresh(PolicyExchange exchange, int step, Lookup lookup) {
        FetchedRequest request = fetched(lookup.key(), lookup.request());
        PendingFetch.Key id = fetchKey(request, lookup.found().selection());
        long now = nanoTime.getAsLong();
        if (fetches.find(id, now) != null) {
            return;
        }
        BackendRequest composed = exchange.composeRequest(step);
        PendingFetch fetch = composed == null ? null : fetches.start(id, now);
        if (composed != null && fetch != null) {
            revalidations.start(exchange, composed, fetch, request, lookup.found(), /* initiator= */ null);
        }
    }

    private static PendingFetch.Key fetchKey(FetchedRequest request, String selection) {
        return new PendingFetch.Key(request.key(), request.context(), selection);
    }

    // ---- misses

    /** Gets a response from a backend, or waits until another request has got it. */
    private PolicyDecision fetch(
            PolicyExchange exchange,
            int step,
            int waits,
            @Nullable UrlEntry entry,
            @Nullable Variant stale,
            FetchedRequest request,
            ClientConditions client) {
        long now = nanoTime.getAsLong();
        BackendRequest composed =
                stale != null && Revalidations.isUseful(stale, now) ? exchange.composeRequest(step) : null;
        boolean isAlone = composed == null && (client.mayLackBody() || (entry != null && entry.isUncacheable(now)));
        if (isAlone || waits >= MAX_WAITS) {
            return forward(exchange, step, CacheExchange.recording(request, /* fetch= */ null));
        }
        PendingFetch.Key id = fetchKey(request, selection(entry, stale, request));
        PendingFetch running = fetches.find(id, now);
        PendingFetch started = running == null ? fetches.start(id, now) : null;
        if (running == null && started == null) {
            running = fetches.find(id, now); // another request has just become the leader
        }
        if (started != null && !Objects.equals(current(exchange, request.key()), stale)) {
            fetches.complete(started, waiter -> decideAgain()); // another fetch has just stored a response
            return decide(exchange, step, waits + 1);
        }
        if (started != null && composed == null) {
            return forward(exchange, step, CacheExchange.recording(request, started));
        }
        PendingFetch joined = started == null ? running : started;
        long maxWait = started == null ? config.maxWait().toNanos() : Revalidations.MAX_WAIT_NANOS;
        PendingFetch.Waiter waiter = new PendingFetch.Waiter(
                exchange.later(maxWait, (later, at) -> forwardAlone(later, at, request)), request.lines(), waits);
        if (joined == null || !fetches.join(joined, waiter)) {
            waiter.future().cancel(/* mayInterruptIfRunning= */ false);
            return started == null
                    ? forwardAlone(exchange, step, request)
                    : forward(exchange, step, CacheExchange.recording(request, started));
        }
        if (started != null && composed != null && stale != null) {
            revalidations.start(exchange, composed, started, request, stale, waiter);
        }
        return new PendingDecision(waiter.future());
    }

    /** The stored response for the request of an exchange; null if there is none. */
    private @Nullable Variant current(PolicyExchange exchange, UrlKey key) {
        UrlEntry entry = store.find(key);
        return entry == null ? null : select(entry, loops[exchange.loop()].view(exchange));
    }

    /** The header values that select a response, as far as they are known before it. */
    private static String selection(@Nullable UrlEntry entry, @Nullable Variant stale, FetchedRequest request) {
        if (stale != null) {
            return stale.selection();
        }
        List<Variant> variants = entry == null ? List.of() : entry.variants();
        return variants.isEmpty()
                ? ""
                : variants.get(0).response().head().metadata().vary().select(request.lines()::values);
    }

    /** Forwards a request for which no other request waits. */
    private PolicyDecision forwardAlone(PolicyExchange exchange, int step, FetchedRequest request) {
        loops[exchange.loop()].count(CacheOutcome.UNCOORDINATED);
        return forward(exchange, step, CacheExchange.recording(request, /* fetch= */ null));
    }

    private PolicyDecision forward(PolicyExchange exchange, int step, CacheExchange forwarded) {
        CacheLoop loop = loops[exchange.loop()];
        loop.count(forwarded.invalidates() ? CacheOutcome.BYPASS : CacheOutcome.MISS);
        exchange.setMark(step, loop.add(forwarded));
        exchange.awaitResponse(step);
        return PolicyDecision.PASS;
    }

    /** Continues a request after its wait, when another request has no result for it. */
    Continuation decideAgain() {
        return (exchange, step) -> decide(exchange, step, /* waits= */ MAX_WAITS);
    }

    // ---- responses

    @Override
    public @Nullable BodyTransform respond(PolicyExchange exchange, int step, ResponseEdit response) {
        CacheLoop loop = loops[exchange.loop()];
        CacheExchange forwarded = loop.get(exchange.mark(step));
        if (forwarded == null) {
            return null;
        }
        FetchedRequest request = forwarded.request();
        int status = response.head().status();
        if (forwarded.invalidates()) {
            if (status < FIRST_ERROR) {
                invalidate(request.key(), HeadText.read(response.head()));
            }
            return null;
        }
        HeaderLines lines = HeadText.read(response.head());
        Intake.Received received = intake.read(status, lines, request);
        long length = response.hasBody() ? response.head().contentLength : 0;
        boolean mayStore = received.isStorable() && length <= config.maxObjectBytes() && !response.isDelimitedByClose();
        if (!mayStore) {
            discard(loop, forwarded, status);
            return null;
        }
        RecordedExchange recorded = new RecordedExchange(this, loop, forwarded, received.toHead());
        BodyRecording recording = record(length);
        if (!response.hasBody()) {
            recorded.recorded(recording);
            return null;
        }
        return new ResponseRecorder(recording, recorded);
    }

    /** Removes the responses that a successful unsafe request may have changed (RFC 9111 section 4.4). */
    private void invalidate(UrlKey key, HeaderLines response) {
        store.remove(key);
        for (String name : List.of("location", "content-location")) {
            String reference = response.first(name);
            UrlKey other = reference == null ? null : keys.resolve(key, reference);
            if (other != null) {
                store.remove(other);
            }
        }
    }

    /** Ends a fetch whose response is not stored: all waiting requests go to backends. */
    void discard(CacheLoop loop, CacheExchange forwarded, int status) {
        loop.count(CacheOutcome.UNCACHEABLE);
        PendingFetch fetch = forwarded.takeFetch();
        if (fetch == null) {
            return;
        }
        if (status < FIRST_SERVER_ERROR) {
            store.setUncacheable(forwarded.request().key(), nanoTime.getAsLong() + UNCACHEABLE_NANOS);
        }
        fetches.complete(fetch, waiter -> decideAgain());
    }

    /** Stores a complete response, and answers the waiting requests with it; the caller stays a user of it. */
    void finish(CacheLoop loop, @Nullable PendingFetch fetch, FetchedRequest request, StoredResponse response) {
        Variant stored = intake.store(request, response);
        loop.count(stored == null ? CacheOutcome.UNCACHEABLE : CacheOutcome.STORED);
        if (fetch != null) {
            fetches.complete(fetch, waiter -> shared(loop, waiter, stored, CacheOutcome.HIT));
        }
    }

    /** Answers a waiting request with the response to another one, if it fits. */
    Continuation shared(CacheLoop loop, PendingFetch.Waiter waiter, @Nullable Variant stored, CacheOutcome outcome) {
        if (stored == null) {
            return decideAgain();
        }
        StoredResponse response = stored.response();
        boolean fits =
                stored.selection().equals(response.head().metadata().vary().select(waiter.lines()::values));
        LocalResponse answer = fits ? hits.answer(response, ClientConditions.of(waiter.lines()), outcome) : null;
        if (answer == null) {
            return fits ? decideAgain() : (exchange, step) -> decide(exchange, step, waiter.waits() + 1);
        }
        loop.count(outcome);
        return answer;
    }

    @Override
    public void ended(PolicyExchange exchange, int step, int status) {
        long mark = exchange.mark(step);
        CacheLoop loop = loops[exchange.loop()];
        CacheExchange forwarded = loop.get(mark);
        if (forwarded == null) {
            return;
        }
        loop.remove(mark);
        abandon(forwarded);
    }

    /** Lets a waiting request lead the fetch that ends without a result. */
    void abandon(CacheExchange forwarded) {
        PendingFetch fetch = forwarded.takeFetch();
        if (fetch != null) {
            fetches.handOver(fetch, new Lead(fetch));
        }
    }

    /** Makes a waiting request the leader of a fetch. If that request has ended too, another one leads. */
    private final class Lead implements Continuation {

        private final PendingFetch fetch;

        Lead(PendingFetch fetch) {
            this.fetch = fetch;
        }

        @Override
        public PolicyDecision decide(PolicyExchange exchange, int step) {
            return lead(exchange, step, fetch);
        }

        @Override
        public void dropped() {
            fetches.handOver(fetch, this);
        }
    }

    private PolicyDecision lead(PolicyExchange exchange, int step, PendingFetch fetch) {
        CacheLoop loop = loops[exchange.loop()];
        RequestView request = loop.view(exchange);
        FetchedRequest fetched = fetched(loop.key(exchange, keys), request);
        return forward(exchange, step, CacheExchange.recording(fetched, fetch));
    }

    // ---- parts for revalidations

    ResponseStore store() {
        return store;
    }

    /** Starts to record a body; see {@link ResponseStore#record}. */
    BodyRecording record(long expectedBytes) {
        return store.record(expectedBytes, config.maxObjectBytes());
    }

    /** The maximum length of a stored body. */
    long maxObjectBytes() {
        return config.maxObjectBytes();
    }

    /** Removes the responses of a URL because the current one must not be stored. */
    void forget(UrlKey key) {
        store.remove(key);
        store.setUncacheable(key, nanoTime.getAsLong() + UNCACHEABLE_NANOS);
    }

    long now() {
        return nanoTime.getAsLong();
    }

    Intake intake() {
        return intake;
    }

    Hits hits() {
        return hits;
    }

    PendingFetches fetches() {
        return fetches;
    }

    CacheLoop loop(PolicyExchange exchange) {
        return loops[exchange.loop()];
    }

    // ---- operators

    /**
     * Removes responses. Any thread. Cost: reads the whole store, except for one URL without a tag.
     *
     * @param url an absolute URL, or the beginning of one with {@code *} at its end; empty for all URLs
     * @param tag a word of {@code Cache-Tag} or {@code Surrogate-Key} of the responses; empty for any
     * @return the number of removed responses
     */
    public int purge(Optional<String> url, Optional<String> tag) {
        String text = url.orElse("*");
        boolean isPrefix = text.endsWith("*");
        String wanted =
                isPrefix ? UrlKeys.normalizePrefix(text.substring(0, text.length() - 1)) : UrlKeys.normalize(text);
        if (!isPrefix && tag.isEmpty()) {
            return store.remove(keys.of(wanted));
        }
        return store.removeIf((stored, variant) -> (isPrefix ? stored.startsWith(wanted) : stored.equals(wanted))
                && (tag.isEmpty() || variant.response().head().tags().contains(tag.get())));
    }

    @Override
    public Map<String, Long> responses() {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (CacheOutcome outcome : CacheOutcome.values()) {
            counts.put(outcome.label(), outcomes.sum(outcome));
        }
        counts.put("evicted", store.evictions());
        return counts;
    }

    @Override
    public Map<String, Long> state() {
        Map<String, Long> sizes = new LinkedHashMap<>();
        sizes.put("cached_bytes", store.usedBytes());
        sizes.put("cached_responses", store.responses());
        sizes.put("waiting_requests", (long) fetches.waiting());
        return sizes;
    }
}
