package io.ballast.core.pool;

import java.util.BitSet;
import java.util.Collection;

/**
 * Assigns small ids to backends, because event loops index tables with them; ids of removed backends are reused.
 *
 * <p>Thread safety: any thread.
 */
final class BackendIds {

    private final BitSet taken = new BitSet();

    /** Returns the smallest free id and reserves it. */
    synchronized int take() {
        int id = taken.nextClearBit(0);
        taken.set(id);
        return id;
    }

    /** The ids can be reused. */
    synchronized void release(Collection<Integer> ids) {
        ids.forEach(taken::clear);
    }
}
