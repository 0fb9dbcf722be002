package io.ballast.dns.zone.service;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Assigns a unique rotation cursor to each answer of a table. Existing services keep their cursors at a reload, so
 * their rotation continues, and clients whose hash uses the cursor keep their targets. Thread safety: confined to the
 * thread that compiles the table.
 */
public final class Cursors {

    private final BitSet used = new BitSet();
    private final List<Integer> handedOut = new ArrayList<>();
    private int last;

    public Cursors() {
        used.set(0); // reserved: 0 is not a valid salt, so next() must never return it
    }

    /** Marks the cursors of an existing service as used. */
    public void reserve(Service service) {
        for (int cursor : service.cursors()) {
            used.set(cursor);
        }
    }

    int next() {
        last = used.nextClearBit(last);
        used.set(last);
        handedOut.add(last);
        return last;
    }

    /** Number of assigned cursors. */
    int handedOut() {
        return handedOut.size();
    }

    /** Returns all assigned cursors except the first {@code count}, in the order of their assignment. */
    int[] assignedSince(int count) {
        return handedOut.subList(count, handedOut.size()).stream()
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** Number of cursors per thread. */
    public int count() {
        return used.length();
    }
}
