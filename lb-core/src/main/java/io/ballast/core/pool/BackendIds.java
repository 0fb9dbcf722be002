package io.ballast.core.pool;

import java.util.BitSet;
import java.util.Collection;

/**
 * Assigns IDs to backends. The IDs are small numbers, because event loops index tables with them; IDs of
 * removed backends are reused.
 *
 * <p>Thread safety: any thread.
 */
final class BackendIds {

    private final BitSet usedIds = new BitSet();

    /** Returns the smallest free id and reserves it. */
    synchronized int allocate() {
        int id = usedIds.nextClearBit(0);
        usedIds.set(id);
        return id;
    }

    /** Makes the IDs available for reuse. */
    synchronized void release(Collection<Integer> ids) {
        ids.forEach(usedIds::clear);
    }
}
