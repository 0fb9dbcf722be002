package io.ballast.dns.forward.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import io.ballast.core.Checks;
import io.ballast.dns.forward.question.Question;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Answers by question, bounded by the heap that they take. What is asked rarely makes room first (W-TinyLFU), so that a
 * scan of random names does not push out what is asked often. An answer stays beyond its lifetime, to be given out if no
 * fresh one can be had.
 *
 * <p>Thread safety: any thread may call it. A lookup waits for no other thread; a change may.
 */
public final class AnswerCache {

    /** How long answers stay beyond their lifetime: a day. */
    public static final Duration DEFAULT_STALE = Duration.ofDays(1);

    /** Heap of an entry without its answer and its name: the question, and what the table and the eviction order need. */
    private static final int ENTRY_BYTES = 176;

    private final Cache<Object, KeptAnswer> answers;
    private final Policy.Eviction<Object, KeptAnswer> bounds;
    private final LongAdder insertions = new LongAdder();
    private final LongAdder evictions = new LongAdder();
    private volatile long staleSeconds;

    /**
     * @param maxBytes of heap, 0 or more
     * @param stale how long answers stay beyond their lifetime; of a part of a second nothing counts
     */
    public AnswerCache(long maxBytes, Duration stale) {
        Checks.that(maxBytes >= 0, "maxBytes", maxBytes, ">= 0");
        this.answers = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher(AnswerCache::weigh)
                .executor(Runnable::run)
                .evictionListener((question, answer, cause) -> evictions.increment())
                .build();
        this.bounds = answers.policy().eviction().orElseThrow();
        keepStale(stale);
    }

    private static int weigh(Object question, KeptAnswer answer) {
        return ENTRY_BYTES + (((Question) question).name().length + 7 & ~7) + answer.retainedBytes();
    }

    /** A new way to find answers, for one thread. */
    public CacheReader reader() {
        return new CacheReader(this);
    }

    @Nullable KeptAnswer find(Object probe, long nowNanos) {
        KeptAnswer answer = answers.getIfPresent(probe);
        return answer != null && isUsable(answer, nowNanos) ? answer : null;
    }

    /** The answer that is kept for a question, fresh or stale. */
    public @Nullable KeptAnswer find(Question question, long nowNanos) {
        return find((Object) question, nowNanos);
    }

    /**
     * Puts the refresh of an answer off, for who is about to ask for another one: true for one of those who try, false if it has
     * been put off or replaced already.
     */
    public boolean claimRefresh(Question question, KeptAnswer seen, long untilNanos) {
        return answers.asMap().replace(question, seen, seen.postponed(untilNanos));
    }

    private boolean isUsable(KeptAnswer answer, long nowNanos) {
        long stale = answer.isFailure() ? 0 : staleSeconds;
        return answer.ageSeconds(nowNanos) < answer.lifetimeSeconds() + stale;
    }

    /**
     * Keeps an answer in place of an earlier one, unless its lifetime is 0: then nothing changes. A failure does not take
     * the place of an answer that can still be given out, but puts off its refresh ({@link KeptAnswer#isRefreshDue}).
     */
    public void put(Question question, KeptAnswer answer) {
        if (answer.lifetimeSeconds() == 0) {
            return;
        }
        if (answer.isFailure()) {
            answers.asMap().merge(question, answer, this::afterFailure);
        } else {
            answers.put(question, answer);
        }
        insertions.increment();
    }

    private KeptAnswer afterFailure(KeptAnswer earlier, KeptAnswer failure) {
        // What is known to be wrong now is not given out as what was true once.
        boolean isKept = !earlier.isFailure()
                && (failure.error() == null
                        ? isUsable(earlier, failure.takenNanos())
                        : earlier.isFresh(failure.takenNanos()));
        return isKept ? earlier.after(failure) : failure;
    }

    /** Keeps an answer that was kept before, if there is none yet and it can be given out still; whether it is kept. */
    public boolean restore(Question question, KeptAnswer answer, long nowNanos) {
        boolean isKept = answer.lifetimeSeconds() > 0
                && isUsable(answer, nowNanos)
                && answers.asMap().putIfAbsent(question, answer) == null;
        if (isKept) {
            insertions.increment();
        }
        return isKept;
    }

    /** What is kept now, what is asked most first. Visits every entry: for the end of the process, not for queries. */
    public Map<Question, KeptAnswer> hottest() {
        Map<Question, KeptAnswer> ordered = new LinkedHashMap<>();
        bounds.hottest(Integer.MAX_VALUE).forEach((question, answer) -> ordered.put((Question) question, answer));
        return ordered;
    }

    /** Whether what comes pushes something out. */
    public boolean isFull() {
        return bounds.weightedSize().orElse(0) + ENTRY_BYTES >= bounds.getMaximum();
    }

    /** Forgets the answer to one question. */
    public void remove(Question question) {
        answers.invalidate(question);
    }

    /** Forgets everything and returns how many answers that were. */
    public int flush() {
        return remove(question -> true);
    }

    /** Forgets the answers about a name, in lower case and wire format, and returns how many that were. */
    public int flush(byte[] name) {
        return remove(question -> Arrays.equals(question.name(), name));
    }

    /** Forgets the answers about a name and a type, and returns how many that were. */
    public int flushType(byte[] name, int type) {
        return remove(question -> question.type() == type && Arrays.equals(question.name(), name));
    }

    /** Forgets the answers about a name and all names below it, and returns how many that were. */
    public int flushSuffix(byte[] suffix) {
        return remove(question -> endsWith(question.name(), suffix));
    }

    private static boolean endsWith(byte[] name, byte[] suffix) {
        int cut = name.length - suffix.length;
        int at = 0;
        while (at < cut) {
            at += 1 + name[at];
        }
        return at == cut && Arrays.equals(name, at, name.length, suffix, 0, suffix.length);
    }

    /** Visits every entry: for commands, not for queries. */
    private int remove(Predicate<Question> chosen) {
        int removed = 0;
        for (Object key : answers.asMap().keySet()) {
            if (chosen.test((Question) key) && answers.asMap().remove(key) != null) {
                removed++;
            }
        }
        return removed;
    }

    /** Changes the bound; what is too much goes at once. */
    public void resize(long maxBytes) {
        Checks.that(maxBytes >= 0, "maxBytes", maxBytes, ">= 0");
        bounds.setMaximum(maxBytes);
    }

    /** Changes how long answers stay beyond their lifetime. */
    public void keepStale(Duration stale) {
        Checks.that(!stale.isNegative(), "stale", stale, ">= 0");
        staleSeconds = stale.toSeconds();
    }

    public CacheStatistics statistics() {
        return new CacheStatistics(
                answers.estimatedSize(),
                bounds.weightedSize().orElse(0),
                bounds.getMaximum(),
                insertions.sum(),
                evictions.sum());
    }
}
