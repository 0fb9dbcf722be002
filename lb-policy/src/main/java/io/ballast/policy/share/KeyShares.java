package io.ballast.policy.share;

import java.util.Map;

/**
 * The shares of a limit that this node may use, by key. Keys without an entry have the usual share.
 *
 * <p>Immutable. Cost of a look-up: a hash table with open addressing, at most half full; allocates nothing.
 */
public final class KeyShares {

    private static final long NO_KEY = 0;

    private final double usual;
    private final long endNanos;
    private final long[] keys;
    private final double[] divisors;

    /**
     * @param usualShare the share of keys without an entry; above 0, at most 1
     * @param shares the shares of other keys, above 0; a key is a hash and never 0
     * @param endNanos the {@link System#nanoTime} after which no key has more than the usual share, because the shares
     *     have not been renewed
     */
    public KeyShares(double usualShare, Map<Long, Double> shares, long endNanos) {
        this.usual = 1 / usualShare;
        this.endNanos = endNanos;
        int length = Integer.highestOneBit(Math.max(1, shares.size())) << 2; // a power of two, at least twice the keys
        this.keys = new long[length];
        this.divisors = new double[length];
        shares.forEach((key, share) -> {
            int at = place(key);
            keys[at] = key;
            divisors[at] = 1 / share;
        });
    }

    /**
     * Returns the reciprocal of the share of a key. A request costs this many times as much as with the whole limit.
     */
    public double cost(long key, long nanos) {
        int at = place(key);
        double found = keys[at] == key ? divisors[at] : usual;
        return nanos - endNanos > 0 ? Math.max(found, usual) : found;
    }

    /** The number of nodes among which the limit is divided. */
    public int nodes() {
        return (int) Math.round(usual);
    }

    /** The number of keys with an entry. Reads the whole table. */
    public int size() {
        int used = 0;
        for (long key : keys) {
            if (key != NO_KEY) {
                used++;
            }
        }
        return used;
    }

    private int place(long key) {
        int mask = keys.length - 1;
        int at = (int) key & mask;
        while (keys[at] != key && keys[at] != NO_KEY) {
            at = (at + 1) & mask;
        }
        return at;
    }
}
