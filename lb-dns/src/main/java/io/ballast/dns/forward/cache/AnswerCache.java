package io.ballast.dns.forward.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import io.ballast.core.Checks;
import io.ballast.dns.forward.question.ClientSubnet;
import io.ballast.dns.forward.question.Question;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The cache of answers by question, bounded by heap use. Rarely used answers are evicted first (W-TinyLFU), so that
 * random names do not evict frequently used answers. Expired answers are kept for serve-stale (RFC 8767).
 *
 * <p>Thread safety: any thread may call it. A lookup never blocks; a change may.
 */
public final class AnswerCache {

    /** The time for which expired answers are kept: one day. */
    public static final Duration DEFAULT_STALE = Duration.ofDays(1);

    /**
     * Heap size of an entry without its answer and name: the question, and its share of the hash table and the
     * eviction order.
     */
    private static final int ENTRY_BYTES = 176;

    /**
     * The values are {@link CacheEntry} objects, or {@link ScopedAnswers} for questions with the flag {@link
     * Question#BY_SUBNET}.
     */
    private final Cache<Object, Object> answers;

    private final Policy.Eviction<Object, Object> eviction;
    private final LongAdder insertions = new LongAdder();
    private final LongAdder evictions = new LongAdder();
    private volatile long staleSeconds;

    /**
     * @param maxBytes maximum heap use in bytes, 0 or more
     * @param stale how long answers are kept after their lifetime, rounded down to whole seconds
     */
    public AnswerCache(long maxBytes, Duration stale) {
        Checks.that(maxBytes >= 0, "maxBytes", maxBytes, ">= 0");
        this.answers = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher(AnswerCache::weigh)
                .executor(Runnable::run)
                .evictionListener((question, answer, cause) -> evictions.add(answerCount(answer)))
                .build();
        this.eviction = answers.policy().eviction().orElseThrow();
        setStaleTime(stale);
    }

    private static int weigh(Object question, Object entry) {
        int bytes =
                entry instanceof CacheEntry answer ? answer.retainedBytes() : ((ScopedAnswers) entry).retainedBytes();
        return ENTRY_BYTES + (((Question) question).name().length + 7 & ~7) + bytes;
    }

    private static int answerCount(@Nullable Object entry) {
        return entry instanceof ScopedAnswers scoped ? scoped.size() : 1;
    }

    /** Creates a reader for one thread. */
    public CacheReader reader() {
        return new CacheReader(this);
    }

    @Nullable CacheEntry find(Object probe, long nowNanos) {
        CacheEntry answer = (CacheEntry) answers.getIfPresent(probe);
        return answer != null && answer.isUsable(nowNanos, staleSeconds) ? answer : null;
    }

    /** @param probe lookup key of a question that has the flag {@link Question#BY_SUBNET} */
    @Nullable CacheEntry find(Object probe, int family, int bits, long high, long low, long nowNanos) {
        ScopedAnswers scoped = (ScopedAnswers) answers.getIfPresent(probe);
        return scoped == null ? null : scoped.find(family, bits, high, low, nowNanos, staleSeconds);
    }

    /** Returns the cached answer to a question, fresh or stale; null if there is none. */
    public @Nullable CacheEntry find(Question question, long nowNanos) {
        ClientSubnet subnet = question.subnet();
        return subnet == null
                ? find((Object) question, nowNanos)
                : find(question.withoutSubnet(), subnet.family(), subnet.bits(), subnet.high(), subnet.low(), nowNanos);
    }

    /**
     * Claims the refresh of an answer; returns true to only one of several concurrent callers. Returns false if the
     * refresh has already been claimed, or the answer has been replaced.
     */
    public boolean claimRefresh(Question question, CacheEntry expected, long untilNanos) {
        CacheEntry postponed = expected.withRefreshTime(untilNanos);
        if (question.subnet() == null) {
            return answers.asMap().replace(question, expected, postponed);
        }
        Question shared = question.withoutSubnet();
        ScopedAnswers present = (ScopedAnswers) answers.getIfPresent(shared);
        ScopedAnswers next = present == null ? null : present.replace(expected, postponed);
        return next != null && answers.asMap().replace(shared, present, next);
    }

    /**
     * Caches an answer and replaces the earlier one, unless the new answer's lifetime is 0. A failure does not
     * replace an answer that may still be served, but delays its refresh ({@link CacheEntry#isRefreshDue}). If
     * the question has a client subnet, only answers for the same networks are replaced ({@link AnswerScope}).
     */
    public void put(Question question, CacheEntry answer) {
        if (answer.lifetimeSeconds() == 0) {
            return;
        }
        ClientSubnet subnet = question.subnet();
        if (subnet != null) {
            answers.asMap().compute(question.withoutSubnet(), (shared, present) -> addScoped(present, subnet, answer));
        } else if (answer.isFailure()) {
            answers.asMap().merge(question, answer, (earlier, failure) -> mergeFailure((CacheEntry) earlier, answer));
        } else {
            answers.put(question, answer);
        }
        insertions.increment();
    }

    private ScopedAnswers addScoped(@Nullable Object existing, ClientSubnet subnet, CacheEntry answer) {
        ScopedAnswers scoped = existing == null ? ScopedAnswers.NONE : (ScopedAnswers) existing;
        if (!answer.isFailure()) {
            return scoped.withAnswer(subnet, AnswerScope.of(subnet, answer.scope()), answer, staleSeconds);
        }
        CacheEntry earlier = scoped.find(subnet, answer.receivedNanos(), staleSeconds);
        ScopedAnswers postponed = earlier == null || !outlasts(earlier, answer)
                ? null
                : scoped.replace(earlier, earlier.withRefreshTimeOf(answer));
        return postponed == null
                ? scoped.withAnswer(subnet, AnswerScope.ofFailure(subnet), answer, staleSeconds)
                : postponed;
    }

    private CacheEntry mergeFailure(CacheEntry earlier, CacheEntry failure) {
        return outlasts(earlier, failure) ? earlier.withRefreshTimeOf(failure) : failure;
    }

    private boolean outlasts(CacheEntry earlier, CacheEntry failure) {
        // A bogus answer replaces a stale answer; only a fresh answer is kept.
        return !earlier.isFailure()
                && (failure.error() == null
                        ? earlier.isUsable(failure.receivedNanos(), staleSeconds)
                        : earlier.isFresh(failure.receivedNanos()));
    }

    /**
     * Adds an answer from a snapshot, if it can still be served and the cache has no newer answer. Returns whether the
     * answer was added.
     */
    public boolean restore(CachedAnswer cached, long nowNanos) {
        CacheEntry answer = cached.answer();
        boolean isAdded =
                answer.lifetimeSeconds() > 0 && answer.isUsable(nowNanos, staleSeconds) && putIfAbsent(cached);
        if (isAdded) {
            insertions.increment();
        }
        return isAdded;
    }

    private boolean putIfAbsent(CachedAnswer cached) {
        Question question = cached.question();
        AnswerScope scope = cached.scope();
        if (scope == null) {
            return answers.asMap().putIfAbsent(question, cached.answer()) == null;
        }
        Object existing = answers.getIfPresent(question);
        ScopedAnswers scoped = existing == null ? ScopedAnswers.NONE : (ScopedAnswers) existing;
        if (scoped.contains(scope) || scoped.size() >= ScopedAnswers.MAX_ENTRIES) {
            return false;
        }
        ScopedAnswers updated = scoped.withAnswer(scope.network(), scope, cached.answer(), staleSeconds);
        return existing == null
                ? answers.asMap().putIfAbsent(question, updated) == null
                : answers.asMap().replace(question, scoped, updated);
    }

    /** Returns all cached answers, the most used first. Visits every entry, so it is called only at shutdown. */
    public List<CachedAnswer> hottest() {
        List<CachedAnswer> ordered = new ArrayList<>();
        eviction.hottest(Integer.MAX_VALUE).forEach((key, entry) -> {
            Question question = (Question) key;
            if (entry instanceof CacheEntry answer) {
                ordered.add(new CachedAnswer(question, /* scope= */ null, answer));
            } else {
                ((ScopedAnswers) entry)
                        .entries()
                        .forEach(each -> ordered.add(new CachedAnswer(question, each.scope(), each.answer())));
            }
        });
        return ordered;
    }

    /** Returns whether a new entry would evict another one. */
    public boolean isFull() {
        return eviction.weightedSize().orElse(0) + ENTRY_BYTES >= eviction.getMaximum();
    }

    /** Removes the answer to one question, for all client networks. */
    public void remove(Question question) {
        answers.invalidate(question.withoutSubnet());
    }

    /** Removes all entries and returns their number. */
    public int flush() {
        return remove(question -> true);
    }

    /** Removes the answers for a name, in lower case and wire format, and returns their number. */
    public int flush(byte[] name) {
        return remove(question -> Arrays.equals(question.name(), name));
    }

    /** Removes the answers for a name and type, and returns their number. */
    public int flushType(byte[] name, int type) {
        return remove(question -> question.type() == type && Arrays.equals(question.name(), name));
    }

    /** Removes the answers of a type, and returns their number. */
    public int flushType(int type) {
        return remove(question -> question.type() == type);
    }

    /** Removes the answers for a name and all names below it, and returns their number. */
    public int flushSuffix(byte[] suffix) {
        return remove(question -> endsWith(question.name(), suffix));
    }

    /** Removes the answers of one type for a name and all names below it, and returns their number. */
    public int flushSuffix(byte[] suffix, int type) {
        return remove(question -> question.type() == type && endsWith(question.name(), suffix));
    }

    private static boolean endsWith(byte[] name, byte[] suffix) {
        int cut = name.length - suffix.length;
        int at = 0;
        while (at < cut) {
            at += 1 + name[at];
        }
        return at == cut && Arrays.equals(name, at, name.length, suffix, 0, suffix.length);
    }

    /**
     * Removes the answers whose question meets a condition. Visits every entry, so it is used only by operator
     * commands.
     */
    private int remove(Predicate<Question> condition) {
        int removed = 0;
        for (Object key : answers.asMap().keySet()) {
            Object entry = condition.test((Question) key) ? answers.asMap().remove(key) : null;
            if (entry != null) {
                removed += answerCount(entry);
            }
        }
        return removed;
    }

    /** Changes the memory limit; surplus entries are evicted immediately. */
    public void resize(long maxBytes) {
        Checks.that(maxBytes >= 0, "maxBytes", maxBytes, ">= 0");
        eviction.setMaximum(maxBytes);
    }

    /** Changes how long expired answers are kept. */
    public void setStaleTime(Duration stale) {
        Checks.that(!stale.isNegative(), "stale", stale, ">= 0");
        staleSeconds = stale.toSeconds();
    }

    public CacheStatistics statistics() {
        return new CacheStatistics(
                answers.estimatedSize(),
                eviction.weightedSize().orElse(0),
                eviction.getMaximum(),
                insertions.sum(),
                evictions.sum());
    }
}
