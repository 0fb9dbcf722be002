package io.ballast.dns.forward;

import io.ballast.core.backend.Backend;
import io.ballast.core.stats.Counters;
import io.ballast.dns.forward.cache.AnswerReader;
import io.ballast.dns.forward.cache.CacheEntry;
import io.ballast.dns.forward.cache.ParsedAnswer;
import io.ballast.dns.forward.cache.Signatures;
import io.ballast.dns.forward.cache.TtlLimits;
import io.ballast.dns.forward.filter.AnswerFilter;
import io.ballast.dns.forward.filter.NameFilter;
import io.ballast.dns.forward.question.ClientSubnet;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.forward.upstream.Upstreams;
import io.ballast.dns.forward.validate.ValidationPool;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.timer.DeadlineWheel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Forwards questions to resolvers on one event loop, and coalesces equal questions.
 *
 * <p>Thread safety: any thread may call {@link #resolve}; all other methods are confined to the event loop.
 */
public final class Forwarder {

    /**
     * The maximum number of client networks for which one question is pending at a time. More pending queries would
     * give an attacker more chances to guess a response (RFC 7871 section 11.2).
     */
    private static final int MAX_NETWORKS = 32;

    private final FrontendLoop loop;
    private final int index;
    private final int loopCount;
    private final Upstreams upstreams;
    private final UpstreamFailureListener failureListener;
    private final Counters.Shard<DnsCounter> counters;
    private final SplittableRandom random;
    private TtlLimits limits = TtlLimits.DEFAULT;
    private AnswerReader reader = new AnswerReader(limits);
    private final AnswerFilter answerFilter;
    private final ValidationPool validationPool;
    private final QueryName name;
    private final Map<Question, PendingQuery> pendingQueries = new HashMap<>();
    /** Number of pending queries with a client subnet, by the question without its subnet. */
    private final Map<Question, Integer> networkCounts = new HashMap<>();

    private boolean retired;
    private boolean closed;

    /**
     * @param index index of the loop within its frontend
     * @param loops number of loops
     * @param counters this loop's shard
     * @param hash hash function of query names
     * @param validationPool the threads that validate signatures
     */
    public Forwarder(
            FrontendLoop loop,
            int index,
            int loops,
            Upstreams upstreams,
            UpstreamFailureListener failureListener,
            Counters.Shard<DnsCounter> counters,
            NameHash hash,
            SplittableRandom random,
            ValidationPool validationPool) {
        this.loop = loop;
        this.index = index;
        this.loopCount = loops;
        this.upstreams = upstreams;
        this.failureListener = failureListener;
        this.counters = counters;
        this.random = random;
        this.validationPool = validationPool;
        this.answerFilter = new AnswerFilter(hash);
        this.name = new QueryName(hash);
    }

    /** Resolves a question for a waiting caller. */
    public void resolve(Question question, Upstream upstream, ForwardSettings settings, QueryWaiter waiter) {
        loop.eventLoop().execute(() -> begin(question, upstream, settings, waiter));
    }

    /** Prefetches the answer to a question. */
    public void refresh(Question question, Upstream upstream, ForwardSettings settings) {
        loop.eventLoop().execute(() -> beginRefresh(question, upstream, settings));
    }

    /** Like {@link #resolve}, but runs on the event loop: the waiter may be called before this method returns. */
    void resolveNow(Question question, Upstream upstream, ForwardSettings settings, QueryWaiter waiter) {
        begin(question, upstream, settings, waiter);
    }

    private void begin(Question question, Upstream upstream, ForwardSettings settings, QueryWaiter waiter) {
        if (closed) {
            waiter.onFailure();
            return;
        }
        loop.readClock();
        PendingQuery pending = pendingQueries.get(question);
        if (pending != null && hasSameRules(pending.settings(), settings)) {
            pending.join(waiter);
            return;
        }
        CacheEntry cached = findFresh(settings, question);
        if (cached != null) {
            waiter.onAnswer(cached, /* backend= */ null); // the answer was cached while this call was queued
            return;
        }
        if (isNetworkLimitReached(question)) {
            counters.increment(DnsCounter.SUBNETS_WITHHELD);
            begin(question.withSubnet(ClientSubnet.NONE), upstream, settings, waiter);
            return;
        }
        PendingQuery started = addPendingQuery(question, upstream, settings);
        started.join(waiter);
        started.start();
    }

    /** Returns whether both settings have the same filter and validator, so that the verdicts are the same. */
    @SuppressWarnings("ReferenceEquality") // compares identity, because view numbers are valid within one filter only
    private static boolean hasSameRules(ForwardSettings started, ForwardSettings now) {
        return started.filter() == now.filter() && started.validator() == now.validator();
    }

    private void beginRefresh(Question question, Upstream upstream, ForwardSettings settings) {
        if (!closed && !pendingQueries.containsKey(question) && !isNetworkLimitReached(question)) {
            loop.readClock();
            addPendingQuery(question, upstream, settings).start();
        }
    }

    private PendingQuery addPendingQuery(Question question, Upstream upstream, ForwardSettings settings) {
        counters.increment(DnsCounter.FORWARD_QUESTIONS);
        PendingQuery pending = new PendingQuery(this, question, upstream, settings);
        pendingQueries.put(question, pending);
        if (question.options() != null) {
            counters.increment(DnsCounter.OPTIONS_FORWARDED);
        }
        if (hasClientNetwork(question)) {
            counters.increment(DnsCounter.SUBNETS_TOLD);
            networkCounts.merge(question.withoutSubnet(), 1, Integer::sum);
        }
        return pending;
    }

    private static boolean hasClientNetwork(Question question) {
        ClientSubnet subnet = question.subnet();
        return subnet != null && subnet.isNetwork();
    }

    /** Returns whether the question is already pending for the maximum number of client networks. */
    private boolean isNetworkLimitReached(Question question) {
        return hasClientNetwork(question) && networkCounts.getOrDefault(question.withoutSubnet(), 0) >= MAX_NETWORKS;
    }

    private @Nullable CacheEntry findFresh(ForwardSettings settings, Question question) {
        CacheEntry cached = findCached(settings, question);
        return cached != null && cached.isFresh(now()) ? cached : null;
    }

    /** Returns a stale answer; null if no answer is cached, or if only a failure is cached. */
    @Nullable CacheEntry findStale(ForwardSettings settings, Question question) {
        CacheEntry cached = findCached(settings, question);
        return cached != null && !cached.isFailure() ? cached : null;
    }

    /** Returns the cached answer, if it was filtered by the current rules. */
    private @Nullable CacheEntry findCached(ForwardSettings settings, Question question) {
        CacheEntry cached = settings.cache() == null ? null : settings.cache().find(question, now());
        NameFilter filter = settings.filter();
        return cached == null
                        || filter == null
                        || cached.isFilteredBy(filter.rules().ruleSetId())
                ? cached
                : null;
    }

    /** Caches an answer for its lifetime. A failure delays the next refresh of a stale answer. */
    void cacheAnswer(ForwardSettings settings, Question question, CacheEntry answer) {
        boolean isObsolete =
                settings.validator() != null && settings.validator().isReplaced();
        if (settings.cache() != null && !isObsolete) {
            settings.cache().put(question, answer);
        }
    }

    /** Called when the refresh has timed out: the stale answer is served for a while without another attempt. */
    void postponeRefresh(ForwardSettings settings, Question question, CacheEntry stale) {
        if (settings.cache() != null && !stale.isRefreshPostponed()) {
            settings.cache().claimRefresh(question, stale, now() + ForwardSettings.RECHECK_NANOS);
        }
    }

    /** Parses a resolver's message. */
    ParsedAnswer parse(ForwardSettings settings, Question question, byte[] message, int length) {
        ParsedAnswer parsed =
                reader(settings).read(message, length, question, now(), answerFilter.setFilter(settings.filter()));
        if (parsed instanceof ParsedAnswer.Taken taken) {
            counters.add(DnsCounter.FORWARD_OUT_OF_BAILIWICK, taken.dropped());
        }
        return parsed;
    }

    private AnswerReader reader(ForwardSettings settings) {
        if (!settings.limits().equals(limits)) {
            limits = settings.limits();
            reader = new AnswerReader(limits);
        }
        return reader;
    }

    /** Parses a message again after signature validation; returns null if it contains no usable answer. */
    @Nullable CacheEntry parseValidated(ForwardSettings settings, Question question, byte[] message, Signatures signatures) {
        AnswerFilter filter = answerFilter.setFilter(settings.filter());
        ParsedAnswer parsed = reader(settings).read(message, message.length, question, now(), filter, signatures);
        return parsed instanceof ParsedAnswer.Taken taken ? taken.answer() : null;
    }

    /** Creates a question for an internal lookup of the forwarder, which does not come from a client. */
    Question question(byte[] wireName, int type, int flags, int group) {
        name.read(wireName, 0, wireName.length);
        name.hash();
        return new Question(wireName, name.hash(0), type, flags, group);
    }

    /** Returns the message of an answer to a question that {@link #question} created. */
    byte[] message(Question question, CacheEntry answer) {
        return answer.message(question, answer.ageSeconds(now()));
    }

    /** Removes a cached answer that may be wrong. */
    void removeAnswer(ForwardSettings settings, Question question) {
        if (settings.cache() != null) {
            settings.cache().remove(question);
        }
    }

    /** Runs a task on the event loop, unless the loop has ended. Any thread may call it. */
    void executeOnLoop(Runnable task) {
        try {
            loop.eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            // Drop the task: the event loop has ended, so no client is waiting any more.
        }
    }

    ValidationPool validationPool() {
        return validationPool;
    }

    void onQueryEnded(PendingQuery pending) {
        pendingQueries.remove(pending.question(), pending);
        if (hasClientNetwork(pending.question())) {
            networkCounts.computeIfPresent(
                    pending.question().withoutSubnet(), (shared, count) -> count == 1 ? null : count - 1);
        }
        if (retired && pendingQueries.isEmpty()) {
            loop.eventLoop().execute(this::closeIfIdle); // the ended query must first release its attempts
        }
    }

    Upstreams upstreams() {
        return upstreams;
    }

    UpstreamFailureListener failureListener() {
        return failureListener;
    }

    void count(DnsCounter counter) {
        counters.increment(counter);
    }

    void count(DnsCounter counter, long amount) {
        counters.add(counter, amount);
    }

    long now() {
        return loop.now();
    }

    long readClock() {
        return loop.readClock();
    }

    DeadlineWheel deadlines() {
        return loop.deadlines();
    }

    long random() {
        return random.nextLong();
    }

    int index() {
        return index;
    }

    int loopCount() {
        return loopCount;
    }

    /** Called when a resolver was removed from its pool, or when its address has changed. */
    void drainBackend(Backend backend) {
        upstreams.drainServer(backend);
    }

    /** Closes as soon as no query is pending. Called on the event loop. */
    public void retire() {
        retired = true;
        closeIfIdle();
    }

    private void closeIfIdle() {
        if (pendingQueries.isEmpty() && !closed) {
            close();
        }
    }

    /** Stops all queries and fails the pending ones. Called on the event loop. */
    public void close() {
        closed = true;
        new ArrayList<>(pendingQueries.values()).forEach(PendingQuery::cancel);
        upstreams.close();
    }
}
