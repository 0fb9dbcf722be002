package io.ballast.dns.forward.cache;

import io.ballast.dns.forward.question.ClientSubnet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answers to one question, for different networks. At most {@value #MAX_ENTRIES} answers are stored, to limit the
 * memory that an attacker can fill with one name; a new answer replaces the oldest one.
 *
 * <p>Thread safety: immutable. Cost: a lookup visits all answers and allocates nothing; a change copies the
 * array.
 */
final class ScopedAnswers {

    /** Maximum number of answers that are cached for one question; slightly more than Unbound's limit. */
    static final int MAX_ENTRIES = 128;

    static final ScopedAnswers NONE = new ScopedAnswers(new Entry[0]);

    private static final int SHALLOW_BYTES = 40;

    /**
     * Heap size of an entry without its answer: the entry, its scope, the network of the scope, and the array
     * slot.
     */
    private static final int ENTRY_BYTES = 24 + 24 + 48 + 4;

    /** The answers, sorted by prefix length, the longest first. */
    private final Entry[] entries;

    private ScopedAnswers(Entry[] entries) {
        this.entries = entries;
    }

    private ScopedAnswers(List<Entry> entries) {
        this(entries.toArray(Entry[]::new));
    }

    /** An answer and the scope for which it is valid. */
    record Entry(AnswerScope scope, CacheEntry answer) {}

    /**
     * Returns the fresh answer with the longest matching prefix. If there is none, returns the stale answer with
     * the longest matching prefix among those that may still be served.
     */
    @Nullable CacheEntry find(int family, int bits, long high, long low, long nowNanos, long staleSeconds) {
        CacheEntry stale = null;
        for (Entry entry : entries) {
            if (entry.scope.contains(family, bits, high, low)) {
                CacheEntry answer = entry.answer;
                if (answer.isFresh(nowNanos)) {
                    return answer;
                }
                if (stale == null && answer.isUsable(nowNanos, staleSeconds)) {
                    stale = answer;
                }
            }
        }
        return stale;
    }

    @Nullable CacheEntry find(ClientSubnet querySubnet, long nowNanos, long staleSeconds) {
        return find(
                querySubnet.family(),
                querySubnet.bits(),
                querySubnet.high(),
                querySubnet.low(),
                nowNanos,
                staleSeconds);
    }

    boolean contains(AnswerScope scope) {
        for (Entry entry : entries) {
            if (entry.scope.equals(scope)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns a copy with an additional answer and without expired answers. The new answer replaces the answer
     * for the same networks. It also replaces a cached failure for the network of the query.
     */
    ScopedAnswers withAnswer(ClientSubnet querySubnet, AnswerScope scope, CacheEntry answer, long staleSeconds) {
        long nowNanos = answer.receivedNanos();
        AnswerScope failureScope = AnswerScope.ofFailure(querySubnet);
        List<Entry> retained = new ArrayList<>(entries.length + 1);
        for (Entry entry : entries) {
            boolean isReplaced =
                    entry.scope.equals(scope) || (entry.answer.isFailure() && entry.scope.equals(failureScope));
            if (!isReplaced && entry.answer.isUsable(nowNanos, staleSeconds)) {
                retained.add(entry);
            }
        }
        if (retained.size() >= MAX_ENTRIES) {
            retained.remove(oldest(retained));
        }
        int at = 0;
        while (at < retained.size() && !scope.precedes(retained.get(at).scope)) {
            at++;
        }
        retained.add(at, new Entry(scope, answer));
        return new ScopedAnswers(retained);
    }

    /** Returns the oldest entry; of entries with the same time, the one with the shortest prefix. */
    private static int oldest(List<Entry> entries) {
        int oldest = 0;
        for (int i = 1; i < entries.size(); i++) {
            long ageDifference = entries.get(i).answer.receivedNanos()
                    - entries.get(oldest).answer.receivedNanos();
            if (ageDifference <= 0) {
                oldest = i;
            }
        }
        return oldest;
    }

    /** Returns a copy with one answer replaced; null if {@code expected} is not contained. */
    @SuppressWarnings("ReferenceEquality") // an equal answer that was created separately must not be replaced
    @Nullable ScopedAnswers replace(CacheEntry expected, CacheEntry next) {
        for (int i = 0; i < entries.length; i++) {
            if (entries[i].answer == expected) {
                Entry[] changed = entries.clone();
                changed[i] = new Entry(entries[i].scope, next);
                return new ScopedAnswers(changed);
            }
        }
        return null;
    }

    List<Entry> entries() {
        return List.of(entries);
    }

    int size() {
        return entries.length;
    }

    int retainedBytes() {
        int bytes = SHALLOW_BYTES;
        for (Entry entry : entries) {
            bytes += ENTRY_BYTES + entry.answer.retainedBytes();
        }
        return bytes;
    }
}
