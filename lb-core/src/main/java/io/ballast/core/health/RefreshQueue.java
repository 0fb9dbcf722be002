package io.ballast.core.health;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.Pool;
import java.util.HashSet;
import java.util.Set;

/**
 * Refreshes pools a moment later, once for all that was asked meanwhile: when a rack goes down, its backends' pool is
 * compiled once for what waits in the control plane's queue and not once for each of them.
 *
 * <p>Thread safety: confined to the control plane.
 */
final class RefreshQueue {

    private final ControlPlane control;
    private final Set<Pool> waiting = new HashSet<>();

    RefreshQueue(ControlPlane control) {
        this.control = control;
    }

    void request(Pool pool) {
        if (waiting.add(pool)) {
            control.execute(() -> {
                waiting.remove(pool);
                pool.refresh();
            });
        }
    }
}
