package io.ballast.core.health;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.Pool;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Refreshes pools a moment later, once for all that was asked meanwhile: when a rack goes down, its backends' pool is
 * compiled once for what waits in the control plane's queue and not once for each of them.
 *
 * <p>Thread safety: confined to the control plane.
 */
final class RefreshQueue {

    /** Short enough for answers to follow within a second, long enough to take the checks of a large pool together. */
    static final Duration SETTLING = Duration.ofMillis(500);

    private final ControlPlane control;
    private final Set<Pool> waiting = new HashSet<>();
    private final Set<Pool> unsettled = new HashSet<>();

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

    /** Has the watchers of a pool draw conclusions, once for all checks of {@link #SETTLING}. */
    void settle(Pool pool) {
        if (unsettled.add(pool)) {
            control.schedule(
                    () -> {
                        unsettled.remove(pool);
                        pool.settle();
                    },
                    SETTLING);
        }
    }
}
