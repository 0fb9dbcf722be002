package io.ballast.http.h2.client;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Objects that wait to be used again, so that in the long run none is made; not more than a busy client needs, and none for a
 * client that rests. They are no part of any budget, and with some KiB each, as many as a client may have streams at once
 * would make an idle connection dear. Confined to one thread.
 */
final class Unused<T> {

    /** How many are kept. What a client has open beyond that is made anew. */
    static final int MOST = 32;

    private final ArrayDeque<T> kept = new ArrayDeque<>(2);

    /** Takes one; null if there is none. */
    @Nullable T take() {
        return kept.poll();
    }

    /** Keeps {@code object}, or forgets it. */
    void give(T object) {
        if (kept.size() < MOST) {
            kept.push(object);
        }
    }

    boolean isEmpty() {
        return kept.isEmpty();
    }

    void forget() {
        kept.clear();
    }
}
