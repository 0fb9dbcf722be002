package io.ballast.core.balance;

import java.util.List;

/**
 * Finds the member to which a token belongs. Immutable.
 *
 * <p>The position of a token depends on a secret, and a candidate is compared in constant time, so the
 * duration of a look-up reveals nothing about valid tokens.
 *
 * <p>Cost: one hash and a few comparisons; allocates nothing.
 */
final class TokenTable {

    static final int NONE = -1;

    private static final int LONGS = 2;

    private final long secret;
    private final int mask;
    private final long[] tokens;
    private final int[] members;

    /**
     * @param ofMembers the tokens of each member; each token is stored as its upper and its lower half
     * @param secret a random number
     */
    TokenTable(List<long[]> ofMembers, long secret) {
        this.secret = secret;
        int entries =
                ofMembers.stream().mapToInt(tokens -> tokens.length / LONGS).sum();
        int slots = Integer.highestOneBit(Math.max(1, entries) * 4 - 1);
        this.mask = slots - 1;
        this.tokens = new long[slots * LONGS];
        this.members = new int[slots];
        for (int member = 0; member < ofMembers.size(); member++) {
            long[] own = ofMembers.get(member);
            for (int i = 0; i < own.length; i += LONGS) {
                put(own[i], own[i + 1], member);
            }
        }
    }

    private void put(long high, long low, int member) {
        int slot = slot(high);
        while (members[slot] > 0) {
            slot = (slot + 1) & mask;
        }
        tokens[slot * LONGS] = high;
        tokens[slot * LONGS + 1] = low;
        members[slot] = member + 1; // stored as index + 1, because 0 marks a free slot
    }

    /** Returns the index of the member with this token, or {@link #NONE}. */
    int find(long high, long low) {
        for (int slot = slot(high); members[slot] > 0; slot = (slot + 1) & mask) {
            if (((tokens[slot * LONGS] ^ high) | (tokens[slot * LONGS + 1] ^ low)) == 0) {
                return members[slot] - 1;
            }
        }
        return NONE;
    }

    private int slot(long high) {
        return (int) Hash64.mix(high ^ secret) & mask;
    }
}
