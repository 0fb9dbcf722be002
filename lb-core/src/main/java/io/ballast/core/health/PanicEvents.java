package io.ballast.core.health;

import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.Timeline;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolSnapshot;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the start and the end of panic mode: a pool has so few healthy backends that unhealthy backends also get
 * requests.
 *
 * <p>Thread safety: confined to the control plane.
 */
final class PanicEvents {

    private static final Logger LOG = LoggerFactory.getLogger(PanicEvents.class);

    private final Timeline timeline;
    private final Set<Pool> inPanic = new HashSet<>();

    PanicEvents(Timeline timeline) {
        this.timeline = timeline;
    }

    /** Handles a new snapshot of a pool. */
    void onSnapshot(Pool pool) {
        PoolSnapshot now = pool.snapshot();
        if (now.isPanic() && inPanic.add(pool)) {
            String text = "panic: " + now.healthy().size() + " of "
                    + now.candidateCount() + " backends are healthy, fewer than "
                    + pool.config().panicBelowPercent() + "%; requests go to "
                    + (now.usable().size() == now.candidateCount()
                            ? "all"
                            : now.usable().size()) + " of them";
            LOG.warn("pool={} {}", pool.name(), text);
            timeline.add(Origin.CHECK, pool.name(), text);
        } else if (!now.isPanic() && inPanic.remove(pool)) {
            String text =
                    "panic ended: requests go only to the " + now.healthy().size() + " healthy backends";
            LOG.info("pool={} {}", pool.name(), text);
            timeline.add(Origin.CHECK, pool.name(), text);
        }
    }

    void retainPools(Collection<Pool> pools) {
        inPanic.retainAll(Set.copyOf(pools));
    }
}
