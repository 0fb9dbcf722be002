package io.ballast.policy.cache;

import io.ballast.core.hash.SipHash24;
import io.ballast.core.stats.Counters;
import io.ballast.http.policy.LocalResponse;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import io.ballast.http.policy.ResponsePolicy;
import io.ballast.http.transform.BodyTransform;
import io.ballast.http.transform.ResponseEdit;
import io.ballast.policy.cache.rule.CacheDirective;
import io.ballast.policy.cache.rule.CacheDirectives;
import io.ballast.policy.cache.rule.HeaderLines;
import io.ballast.policy.cache.rule.Validity;
import io.ballast.policy.cache.store.BodyRecording;
import io.ballast.policy.cache.store.ResponseStore;
import io.ballast.policy.cache.store.StoredBody;
import io.ballast.policy.cache.store.StoredHead;
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
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A shared cache (RFC 9111). A GET is answered from the store if it contains a usable response. Otherwise the first
 * request of a URL goes to its backend, and its response is recorded; further requests of the URL wait for it. A stale
 * response with a validator is revalidated by a background request.
 *
 * <p>Requests with credentials, and requests of a route that authenticates clients, bypass the cache. Responses with
 * {@code Set-Cookie} are never stored.
 *
 * <p>Thread safety: one object serves all event loops. A hit takes no lock.
 */
public final class CachePolicy implements ResponsePolicy {

    /**
     * Waiting requests receive bodies of at least this length while the bodies arrive. They wait for the end of shorter
     * bodies, so that they can fetch the response themselves if the backend fails.
     */
    static final int SHARED_BYTES = StoredBody.PIECE_BYTES;

    private static final int FIRST_ERROR = 400;
    private static final int GATEWAY_TIMEOUT = 504;
    private static final Refusal NOT_STORED =
            new Refusal(GATEWAY_TIMEOUT, "cache_only_if_cached", "The response is not in the cache.");

    private final CacheConfig config;
    private final ResponseStore store;
    private final UrlKeys keys;
    private final Intake intake;
    private final Hits hits;
    private final CollapsedForwarding forwarding;
    private final CacheLoop[] loops;
    private final Counters<CacheOutcome> outcomes;
    private final LongSupplier nanoTime;

    /** @param hash has a random key */
    public CachePolicy(CacheConfig config, PolicyEnvironment environment, SipHash24 hash) {
        this.config = config;
        this.nanoTime = environment.nanoTime();
        this.store = new ResponseStore(config.memoryBytes());
        this.keys = new UrlKeys(hash);
        this.intake = new Intake(config, store, nanoTime, environment.millis());
        this.hits = new Hits(config.statusHeader(), nanoTime, environment.millis());
        this.outcomes = new Counters<>(CacheOutcome.class, environment.eventLoops());
        this.loops = new CacheLoop[environment.eventLoops()];
        Arrays.setAll(loops, loop -> new CacheLoop(keys, outcomes.shard(loop)));
        this.forwarding = new CollapsedForwarding(config, store, loops, intake, hits, nanoTime, this::decide);
    }

    ResponseStore store() {
        return store;
    }

    /** The fetches in progress. */
    PendingFetches fetches() {
        return forwarding.fetches();
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
        UrlKey key = loop.key(exchange);
        if (kind == RequestView.Kind.UNSAFE) {
            FetchedRequest changed = new FetchedRequest(key.copy(), "", HeaderLines.NONE, 0, 0, Set.of());
            return forwarding.forward(exchange, step, CacheExchange.invalidating(changed));
        }
        boolean obeys = config.obeysClients() && kind != RequestView.Kind.BYPASS;
        CacheDirectives directives = obeys ? request.directives() : CacheDirectives.NONE;
        if (kind == RequestView.Kind.BYPASS || directives.has(CacheDirective.NO_STORE)) {
            loop.count(CacheOutcome.BYPASS);
            return PolicyDecision.PASS;
        }
        UrlEntry entry = store.find(key);
        Variant found = entry == null ? null : request.select(entry);
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
        return forwarding.fetch(exchange, step, waits, entry, found, intake.describe(key, request), client, directives);
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
            return null; // the response has been evicted since the lookup
        }
        lookup.entry().use();
        loops[exchange.loop()].count(outcome);
        if (use == Validity.Use.WHILE_REVALIDATING && !lookup.client().isHead()) {
            FetchedRequest request = intake.describe(lookup.key(), lookup.request());
            forwarding.refresh(exchange, step, lookup.found(), request);
        }
        return answer;
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
            forwarding.discard(loop, request, forwarded.takeFetch(), status);
            return null;
        }
        return record(loop, forwarded, received.toHead(), length);
    }

    /** @param length the length of the body; negative if it is unknown */
    private @Nullable BodyTransform record(CacheLoop loop, CacheExchange forwarded, StoredHead head, long length) {
        if (length > SHARED_BYTES) {
            ResponseRecorder recorder = SharedExchange.start(forwarding, loop, forwarded, head, length);
            if (recorder == null) {
                forwarding.discard(
                        loop,
                        forwarded.request(),
                        forwarded.takeFetch(),
                        head.metadata().status());
            }
            return recorder;
        }
        BodyRecording recording = intake.record(length);
        RecordedExchange recorded = new RecordedExchange(forwarding, loop, forwarded, head, recording);
        if (length != 0) {
            return new ResponseRecorder(recording, recorded);
        }
        recorded.recorded(); // a response without a body is complete
        recorded.released();
        return null;
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

    @Override
    public void ended(PolicyExchange exchange, int step, int status) {
        long mark = exchange.mark(step);
        CacheLoop loop = loops[exchange.loop()];
        CacheExchange forwarded = loop.get(mark);
        if (forwarded == null) {
            return;
        }
        loop.remove(mark);
        boolean isReplaced = exchange.firstByteNanos() != PolicyExchange.NO_RESPONSE && !exchange.isBackendFailure();
        PendingFetch fetch = forwarded.takeFetch();
        if (isReplaced && fetch != null) {
            // An error page has replaced the response. The waiting requests would probably get one, too, so they must
            // not fetch the response one after the other.
            forwarding.discard(loop, forwarded.request(), fetch, status);
        } else {
            forwarding.abandon(fetch);
        }
    }

    // ---- operators

    /**
     * Removes responses from the store. Any thread may call it. Cost: reads the whole store, unless one URL without a
     * tag is given.
     *
     * @param url an absolute URL, or the beginning of one with {@code *} at its end; empty for all URLs
     * @param tag a word in the {@code Cache-Tag} or {@code Surrogate-Key} header of the responses; empty for all
     *     responses
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
        sizes.put("waiting_requests", (long) fetches().waiting());
        return sizes;
    }
}
