package io.ballast.policy.key;

import io.ballast.policy.key.RefusedKeys.RefusedKey;
import java.util.Arrays;
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
 * <p>Thread safety: one thread changes the counts; other threads may read them. Cost of a refusal: one look-up
 * in a hash table, and a pass over {@value #MAX_KEYS} numbers if the lowest count has changed; allocates nothing, except for
 * the text of a key that gets a place. Memory: about 10 KiB,
 * and the texts.
 */
final class RefusalCounts {

    static final int MAX_KEYS = 64;
    /** There is no place for a new key. */
    static final int NONE = -1;

    private static final int BUCKETS = 256;
    private static final int RANDOM_BITS = 31;

    private final long start;
    /** The hashes of the keys in {@link #names}; used only by the thread that changes the counts. */
    private final long[] keys = new long[MAX_KEYS];

    /** The first place of each bucket of a hash table with chains; {@link #NONE} for an empty bucket. */
    private final byte[] firstPlaces = new byte[BUCKETS];
    /** The next place of the same bucket; {@link #NONE} at the end of the chain. */
    private final byte[] nextPlaces = new byte[MAX_KEYS];

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
        Arrays.fill(firstPlaces, (byte) NONE);
    }

    long start() {
        return start;
    }

    /** Counts a refusal; returns false, and counts nothing, if the key is not in the table. */
    boolean increment(long key) {
        for (int place = firstPlaces[bucket(key)]; place != NONE; place = nextPlaces[place]) {
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
        long part = (random.nextInt() >>> 1) * (lowestCount + 1); // faster than the remainder of a division
        return part >>> RANDOM_BITS == 0 ? lowest : NONE;
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
        if (place < used) {
            unlink(place);
        }
        int bucket = bucket(key);
        nextPlaces[place] = firstPlaces[bucket];
        firstPlaces[bucket] = (byte) place;
        keys[place] = key;
        counts.setOpaque(place, counts.getPlain(place) + 1);
        names.setRelease(place, new Name(key, text));
        used = Math.max(used, place + 1);
    }

    /** Removes a place from the chain of its bucket. */
    private void unlink(int place) {
        int bucket = bucket(keys[place]);
        if (firstPlaces[bucket] == place) {
            firstPlaces[bucket] = nextPlaces[place];
            return;
        }
        int before = firstPlaces[bucket];
        while (nextPlaces[before] != place) {
            before = nextPlaces[before];
        }
        nextPlaces[before] = nextPlaces[place];
    }

    /** Keys are hashes, so all their bits are evenly distributed. */
    private static int bucket(long key) {
        return (int) key & (BUCKETS - 1);
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
