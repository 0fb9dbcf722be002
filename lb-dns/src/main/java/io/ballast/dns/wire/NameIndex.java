package io.ballast.dns.wire;

/**
 * Finds names in a {@link ByteArena} by their keyed hashes, with a hash table that uses open addressing and
 * is at most half full. The entry of a name consists of its length in one byte and the name itself, in lower
 * case and wire format.
 *
 * <p>Thread safety: filled by one thread; any thread may read a published index. Cost: one or two probes for
 * any number of names; 16 to 32 bytes for each name.
 */
public final class NameIndex {

    /** The average memory for each name in addition to its bytes in the arena. */
    public static final int BYTES_PER_NAME = 24;

    /** Sentinel: the index does not contain the name. */
    public static final int NONE = -1;

    private static final int MIN_SLOTS = 4;
    private static final long ADDRESS = 0xffff_ffffL;

    private final ByteArena arena;
    /**
     * Each slot has the upper half of a name's hash in its upper half, and the name's address in the arena plus
     * one in its lower half. An empty slot is 0.
     */
    private long[] slots = new long[MIN_SLOTS];

    private int names;

    public NameIndex(ByteArena arena) {
        this.arena = arena;
    }

    /** Returns a copy of this index for {@code ofCopy}, a copy of the arena; the names keep their addresses. */
    public NameIndex copy(ByteArena ofCopy) {
        NameIndex copy = new NameIndex(ofCopy);
        copy.slots = slots.clone();
        copy.names = names;
        return copy;
    }

    /** Number of names. */
    public int size() {
        return names;
    }

    /** Returns the memory use without the arena, in bytes. */
    public long bytes() {
        return (long) slots.length * Long.BYTES;
    }

    /**
     * Adds a name that the index does not contain.
     *
     * @param hash hash of the name
     */
    public void add(long hash, int address) {
        if (2 * (names + 1) > slots.length) {
            grow();
        }
        insert((hash & ~ADDRESS) | (address + 1L));
        names++;
    }

    /**
     * Changes the store address of an indexed name from {@code from} to {@code to}.
     *
     * @param hash hash of the name
     */
    public void move(long hash, int from, int to) {
        int slot = slot(hash, from);
        slots[slot] = (slots[slot] & ~ADDRESS) | (to + 1L);
    }

    /**
     * Removes a name that the index contains.
     *
     * @param hash hash of the name
     */
    public void remove(long hash, int address) {
        int mask = slots.length - 1;
        int hole = slot(hash, address);
        // Closes the gap: each following entry moves into the hole, unless the search for this entry starts after the
        // hole.
        for (int at = (hole + 1) & mask; slots[at] != 0; at = (at + 1) & mask) {
            int home = (int) (slots[at] >>> 32) & mask;
            if (((at - home) & mask) >= ((at - hole) & mask)) {
                slots[hole] = slots[at];
                hole = at;
            }
        }
        slots[hole] = 0;
        names--;
    }

    private int slot(long hash, int address) {
        int mask = slots.length - 1;
        int slot = (int) (hash >>> 32) & mask;
        while ((int) slots[slot] != address + 1) {
            if (slots[slot] == 0) {
                throw new IllegalArgumentException("no such name at the address " + address);
            }
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        if (slots.length > 1 << 29) {
            throw new IllegalStateException(names + " names exceed the maximum of one process");
        }
        long[] old = slots;
        slots = new long[2 * old.length];
        for (long entry : old) {
            if (entry != 0) {
                insert(entry);
            }
        }
    }

    private void insert(long entry) {
        int mask = slots.length - 1;
        int slot = (int) (entry >>> 32) & mask;
        while (slots[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        slots[slot] = entry;
    }

    /**
     * Returns the address of the name that equals a suffix of the hashed {@code query}; {@link #NONE} if there is
     * no such name.
     */
    public int find(QueryName query, int suffix) {
        long hash = query.hash(suffix);
        int mask = slots.length - 1;
        for (int slot = (int) (hash >>> 32) & mask; ; slot = (slot + 1) & mask) {
            long entry = slots[slot];
            if (entry == 0) {
                return NONE;
            }
            if (((entry ^ hash) & ~ADDRESS) == 0) {
                int address = (int) entry - 1;
                byte[] chunk = arena.chunk(address);
                int at = ByteArena.offset(address);
                if (query.suffixEquals(suffix, chunk, at + 1, chunk[at] & 0xff)) {
                    return address;
                }
            }
        }
    }
}
