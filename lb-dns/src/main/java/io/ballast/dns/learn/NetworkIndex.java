package io.ballast.dns.learn;

import io.ballast.core.balance.Hash64;
import java.util.List;

/**
 * Maps client networks with known round-trip times to positions: open addressing, at most half full.
 *
 * <p>Thread safety: immutable. Cost of a lookup: one or two probes; allocates nothing.
 */
public final class NetworkIndex {

    /** The empty map. */
    public static final NetworkIndex NONE = new NetworkIndex(List.of(), 0);

    /** Returned instead of a position if the network is not known. */
    public static final int UNKNOWN = -1;

    private final long[] networks;
    private final int[] places;
    private final long secret;

    /**
     * @param known networks by position
     * @param secret value mixed into the hash, so that clients cannot choose colliding networks
     */
    NetworkIndex(List<Long> known, long secret) {
        int capacity = Math.max(4, Integer.highestOneBit(Math.max(known.size(), 1)) << 2);
        this.networks = new long[capacity];
        this.places = new int[capacity];
        this.secret = secret;
        for (int place = 0; place < known.size(); place++) {
            int slot = slot(known.get(place));
            while (places[slot] != 0) {
                slot = (slot + 1) & (capacity - 1);
            }
            networks[slot] = known.get(place);
            places[slot] = place + 1;
        }
    }

    private int slot(long network) {
        return (int) Hash64.mix(network ^ secret) & (networks.length - 1);
    }

    /** The position of a network; {@link #UNKNOWN} if it is not in the map. */
    public int find(long network) {
        for (int slot = slot(network); places[slot] != 0; slot = (slot + 1) & (networks.length - 1)) {
            if (networks[slot] == network) {
                return places[slot] - 1;
            }
        }
        return UNKNOWN;
    }
}
