package io.ballast.cluster.observation;

import java.util.List;
import java.util.Set;

/**
 * Receives changes of the rows of other nodes. Called on the board's thread, one call at a time; must not block. An
 * exception is logged and has no other effect.
 */
public interface ObservationListener {

    /**
     * Called when the rows of connected nodes have changed.
     *
     * @param present rows that are new or have been replaced
     * @param gone rows that were withdrawn, have expired, or whose writer is no longer connected
     */
    void changed(List<Observation> present, List<Observation> gone);

    /**
     * Called when other nodes have connected or disconnected. Rows of a disconnected node are reported as gone before
     * this call.
     */
    void connected(Set<String> nodes);
}
