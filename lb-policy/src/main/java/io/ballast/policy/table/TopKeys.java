package io.ballast.policy.table;

import java.util.Arrays;

/** Collects the keys with the highest values of a table. Not thread-safe. Cost of a key that is not kept: constant. */
public final class TopKeys {

    private final long[] keys;
    private final double[] values;
    private int count;
    /** The place with the lowest value; only defined when all places are taken. */
    private int lowest;

    /** @param max the maximum number of keys that are kept, at least 1 */
    public TopKeys(int max) {
        this.keys = new long[max];
        this.values = new double[max];
    }

    /** Keeps a key if its value is above 0, and among the highest values so far. */
    public void offer(long key, double value) {
        if (value <= 0) {
            return;
        }
        if (count < keys.length) {
            set(count++, key, value);
        } else if (value > values[lowest]) {
            set(lowest, key, value);
        }
    }

    private void set(int place, long key, double value) {
        keys[place] = key;
        values[place] = value;
        lowest = 0;
        for (int i = 1; i < count; i++) {
            if (values[i] < values[lowest]) {
                lowest = i;
            }
        }
    }

    /** Returns the keys, in no defined order. */
    public long[] keys() {
        return Arrays.copyOf(keys, count);
    }
}
