package io.ballast.dns.learn;

import io.ballast.core.balance.Hash64;
import java.util.List;

/**
 * Maps client networks with known round-trip times to array indexes ("positions"). The map is a hash table with open
 * addressing, at most half full.
 *
 * <p>Thread safety: immutable. Cost of a lookup: one or two probes; allocates nothing.
 */
public final class NetworkIndex {

    /** The empty map. */
    public static final NetworkIndex NONE = new NetworkIndex(List.of(), 0);

    /** Sentinel: the index does not contain the network. */
    public static final int UNKNOWN = -1;

    private final long[] networks;
    private final int[] positions;
    private final long secret;

    /**
     * @param networksByPosition the networks; the position of a network is its index in this list
     * @param secret value mixed into the hash, so that clients cannot choose colliding networks
     */
    NetworkIndex(List<Long> networksByPosition, long secret) {
        int capacity = Math.max(4, Integer.highestOneBit(Math.max(networksByPosition.size(), 1)) << 2);
        this.networks = new long[capacity];
        this.positions = new int[capacity];
        this.secret = secret;
        for (int position = 0; position < networksByPosition.size(); position++) {
            int slot = slot(networksByPosition.get(position));
            while (positions[slot] != 0) {
                slot = (slot + 1) & (capacity - 1);
            }
            networks[slot] = networksByPosition.get(position);
            positions[slot] = position + 1;
        }
    }

    private int slot(long network) {
        return (int) Hash64.mix(network ^ secret) & (networks.length - 1);
    }

    /** The position of a network; {@link #UNKNOWN} if it is not in the map. */
    public int find(long network) {
        for (int slot = slot(network); positions[slot] != 0; slot = (slot + 1) & (networks.length - 1)) {
            if (networks[slot] == network) {
                return positions[slot] - 1;
            }
        }
        return UNKNOWN;
    }
}
