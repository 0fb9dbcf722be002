package io.ballast.dns.zone.service;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Hands out the cursors of a table, each once. Services that were there before keep theirs, so that turns go on, and clients
 * that were told apart by them stay where they are. Thread safety: confined to the thread that compiles the table.
 */
public final class Cursors {

    private final BitSet used = new BitSet();
    private final List<Integer> handedOut = new ArrayList<>();
    private int last;

    public Cursors() {
        used.set(0); // not handed out: the number 0 is no salt
    }

    /** Takes those of a service that is there already out of what is handed out. */
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

    /** How many were handed out. */
    int handedOut() {
        return handedOut.size();
    }

    /** Returns the cursors that were created after the first {@code count}. */
    int[] since(int count) {
        return handedOut.subList(count, handedOut.size()).stream()
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** How many a thread needs. */
    public int count() {
        return used.length();
    }
}
