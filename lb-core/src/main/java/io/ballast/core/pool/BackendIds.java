package io.ballast.core.pool;

import java.util.BitSet;
import java.util.Collection;

/**
 * The numbers of backends: small, since event loops index tables with them, so those of backends that are gone are used again.
 *
 * <p>Thread safety: any thread.
 */
final class BackendIds {

    private final BitSet taken = new BitSet();

    /** The least that is free. */
    synchronized int take() {
        int id = taken.nextClearBit(0);
        taken.set(id);
        return id;
    }

    /** Nothing is kept by these numbers any more. */
    synchronized void release(Collection<Integer> ids) {
        ids.forEach(taken::clear);
    }
}
