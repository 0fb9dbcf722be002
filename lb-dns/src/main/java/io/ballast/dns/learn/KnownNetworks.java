package io.ballast.dns.learn;

import io.ballast.core.balance.Hash64;
import java.util.List;

/**
 * The networks for which times are known, each with a place: open addressing, at most half full.
 *
 * <p>Thread safety: immutable. Cost of a look-up: one probe or two; allocates nothing.
 */
public final class KnownNetworks {

    /** No network is known. */
    public static final KnownNetworks NONE = new KnownNetworks(List.of(), 0);

    /** In place of a place. */
    public static final int UNKNOWN = -1;

    private final long[] networks;
    private final int[] places;
    private final long secret;

    /**
     * @param known the networks by their place
     * @param secret mixed into the hash, so that networks that collide cannot be chosen
     */
    KnownNetworks(List<Long> known, long secret) {
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

    /** The place of a network; {@link #UNKNOWN} if nothing is known of it. */
    public int find(long network) {
        for (int slot = slot(network); places[slot] != 0; slot = (slot + 1) & (networks.length - 1)) {
            if (networks[slot] == network) {
                return places[slot] - 1;
            }
        }
        return UNKNOWN;
    }
}
