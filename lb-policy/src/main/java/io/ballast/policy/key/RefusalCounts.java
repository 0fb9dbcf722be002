package io.ballast.policy.key;

import io.ballast.policy.key.RefusedKeys.RefusedKey;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Counts refused requests of at most {@value #MAX_KEYS} keys. If all places are taken, a new key replaces the key with
 * the lowest count {@code c} with the probability {@code 1 / (c + 1)}, and gets the count {@code c + 1} (<a
 * href="https://arxiv.org/abs/1612.02962">Randomized Admission Policy</a>, Ben Basat et al., 2017). So keys with many
 * refusals stay, while a flood of keys with one refusal each hardly ever replaces a key.
 *
 * <p>Thread safety: one thread changes the counts; other threads may read them. Cost of a refusal: at most two passes
 * over {@value #MAX_KEYS} numbers; allocates nothing, except for the text of a key that gets a place. Memory: about 10 KiB,
 * and the texts.
 */
final class RefusalCounts {

    static final int MAX_KEYS = 64;
    /** There is no place for a new key. */
    static final int NONE = -1;

    private final long start;
    /** The hashes of the keys in {@link #names}; used only by the thread that changes the counts. */
    private final long[] keys = new long[MAX_KEYS];

    private final AtomicReferenceArray<@Nullable Name> names = new AtomicReferenceArray<>(MAX_KEYS);
    private final AtomicLongArray counts = new AtomicLongArray(MAX_KEYS);
    private int used;
    /** The place with the lowest count, and this count, as of the last search. */
    private int lowest;

    private long lowestCount;

    private record Name(long key, String text) {}

    /** @param start when the counts begin; see {@link System#nanoTime} */
    RefusalCounts(long start) {
        this.start = start;
    }

    long start() {
        return start;
    }

    /** Counts a refusal; returns false if the key has no place. */
    boolean increment(long key) {
        for (int place = 0; place < used; place++) {
            if (keys[place] == key) {
                counts.setOpaque(place, counts.getPlain(place) + 1);
                return true;
            }
        }
        return false;
    }

    /** Returns the place that a new key gets; {@link #NONE} if it gets none. */
    int placeForNewKey(RandomGenerator random) {
        if (used < MAX_KEYS) {
            return used;
        }
        findLowest();
        return random.nextLong(lowestCount + 1) == 0 ? lowest : NONE;
    }

    /** Counts never decrease, so the last result holds while its count is unchanged. */
    private void findLowest() {
        if (lowestCount > 0 && counts.getPlain(lowest) == lowestCount) {
            return;
        }
        lowest = 0;
        for (int place = 1; place < MAX_KEYS; place++) {
            if (counts.getPlain(place) < counts.getPlain(lowest)) {
                lowest = place;
            }
        }
        lowestCount = counts.getPlain(lowest);
    }

    /** Gives a place to a new key, and counts its refusal. */
    void replace(int place, long key, String text) {
        keys[place] = key;
        counts.setOpaque(place, counts.getPlain(place) + 1);
        names.setRelease(place, new Name(key, text));
        used = Math.max(used, place + 1);
    }

    /** Passes all keys to the consumer. May be called by any thread. */
    void forEach(Consumer<RefusedKey> consumer) {
        for (int place = 0; place < MAX_KEYS; place++) {
            Name name = names.getAcquire(place);
            if (name != null) {
                consumer.accept(new RefusedKey(name.key(), name.text(), counts.getOpaque(place)));
            }
        }
    }
}
