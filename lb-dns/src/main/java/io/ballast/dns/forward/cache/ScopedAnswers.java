package io.ballast.dns.forward.cache;

import io.ballast.dns.forward.question.ClientSubnet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answers to one question, for different networks. There are {@value #MAX} at most, so that no name is a weapon:
 * the oldest makes room.
 *
 * <p>Thread safety: immutable. Cost: a look-up goes over all answers and allocates nothing; a change copies the array.
 */
final class ScopedAnswers {

    /** Limit of answers for one question, slightly more than Unbound's. */
    static final int MAX = 128;

    static final ScopedAnswers NONE = new ScopedAnswers(new Entry[0]);

    private static final int SHALLOW_BYTES = 40;

    /** Heap of an entry without its answer: itself, its scope with the network, and its place in the array. */
    private static final int ENTRY_BYTES = 24 + 24 + 48 + 4;

    /** Longer prefixes first. */
    private final Entry[] entries;

    private ScopedAnswers(Entry[] entries) {
        this.entries = entries;
    }

    private ScopedAnswers(List<Entry> entries) {
        this(entries.toArray(Entry[]::new));
    }

    /** One of the answers. */
    record Entry(AnswerScope scope, CacheEntry answer) {}

    /**
     * Returns the fresh answer with the longest matching prefix; if there is none, the stale one with the longest
     * prefix that may still be served.
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

    @Nullable CacheEntry find(ClientSubnet asked, long nowNanos, long staleSeconds) {
        return find(asked.family(), asked.bits(), asked.high(), asked.low(), nowNanos, staleSeconds);
    }

    boolean has(AnswerScope scope) {
        for (Entry entry : entries) {
            if (entry.scope.equals(scope)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns a copy with another answer, which replaces the answer for the same networks and a failure for the
     * queried network, without expired answers.
     */
    ScopedAnswers with(ClientSubnet asked, AnswerScope scope, CacheEntry answer, long staleSeconds) {
        long nowNanos = answer.takenNanos();
        AnswerScope failed = AnswerScope.ofFailure(asked);
        List<Entry> kept = new ArrayList<>(entries.length + 1);
        for (Entry entry : entries) {
            boolean isReplaced = entry.scope.equals(scope) || (entry.answer.isFailure() && entry.scope.equals(failed));
            if (!isReplaced && entry.answer.isUsable(nowNanos, staleSeconds)) {
                kept.add(entry);
            }
        }
        if (kept.size() >= MAX) {
            kept.remove(oldest(kept));
        }
        int at = 0;
        while (at < kept.size() && !scope.comesBefore(kept.get(at).scope)) {
            at++;
        }
        kept.add(at, new Entry(scope, answer));
        return new ScopedAnswers(kept);
    }

    /** Returns the oldest entry; of entries with the same time, the one with the shortest prefix. */
    private static int oldest(List<Entry> entries) {
        int oldest = 0;
        for (int i = 1; i < entries.size(); i++) {
            long later = entries.get(i).answer.takenNanos()
                    - entries.get(oldest).answer.takenNanos();
            if (later <= 0) {
                oldest = i;
            }
        }
        return oldest;
    }

    /** With another answer in place of one; null if that is not among them. */
    @SuppressWarnings("ReferenceEquality") // an answer that was made anew is another one
    @Nullable ScopedAnswers replacing(CacheEntry seen, CacheEntry next) {
        for (int i = 0; i < entries.length; i++) {
            if (entries[i].answer == seen) {
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
