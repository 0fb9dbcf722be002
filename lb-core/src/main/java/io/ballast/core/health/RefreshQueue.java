package io.ballast.core.health;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolSnapshot;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refreshes pools in the background and combines requests. When many backends fail at the same time, their
 * pool is compiled once for all changes in the control plane's queue, and once more for the changes during
 * that compilation.
 *
 * <p>Thread safety: confined to the control plane.
 */
final class RefreshQueue {

    /**
     * The delay before the check results of a pool are evaluated. It is short enough that answers change within a
     * second, and long enough to combine the checks of a large pool.
     */
    static final Duration EVALUATION_DELAY = Duration.ofMillis(500);

    private static final Logger LOG = LoggerFactory.getLogger(RefreshQueue.class);

    private final ControlPlane control;
    private final Executor compiler;
    private final Set<Pool> waiting = new HashSet<>();
    private final Set<Pool> compiling = new HashSet<>();
    private final Set<Pool> unevaluatedPools = new HashSet<>();
    private final PanicEvents panics;

    /**
     * @param compiler runs slow compilations; it runs several at a time, so that pools do not wait for each other
     */
    RefreshQueue(ControlPlane control, Executor compiler) {
        this.control = control;
        this.compiler = compiler;
        this.panics = new PanicEvents(control.timeline());
    }

    /** Requests a new snapshot that includes all changes so far. */
    void request(Pool pool) {
        if (waiting.add(pool) && !compiling.contains(pool)) {
            control.execute(() -> begin(pool));
        }
    }

    private void begin(Pool pool) {
        waiting.remove(pool);
        compiling.add(pool);
        compiler.execute(() -> {
            try {
                PoolSnapshot next = pool.compile();
                control.execute(() -> finish(pool, () -> pool.publish(next)));
            } catch (RuntimeException | Error e) {
                control.execute(() -> finish(
                        pool, () -> LOG.error("pool={} msg=\"cannot compile the pool snapshot\"", pool.name(), e)));
            }
        });
    }

    private void finish(Pool pool, Runnable result) {
        compiling.remove(pool);
        if (waiting.contains(pool)) {
            control.execute(() -> begin(pool));
        }
        result.run();
        panics.onSnapshot(pool);
    }

    /** Removes all pools except {@code pools}. */
    void retainPools(Collection<Pool> pools) {
        panics.retainPools(pools);
    }

    /** Notifies the watchers of a pool once for all checks within {@link #EVALUATION_DELAY}. */
    void scheduleEvaluation(Pool pool) {
        if (unevaluatedPools.add(pool)) {
            control.schedule(
                    () -> {
                        unevaluatedPools.remove(pool);
                        if (pool.evaluateChecks()) {
                            request(pool);
                        }
                    },
                    EVALUATION_DELAY);
        }
    }
}
