package io.ballast.core.health;

import io.ballast.core.balance.Member;
import io.ballast.core.config.OutlierConfig;
import io.ballast.core.pool.Pool;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The ejected backends of one pool. Their number is limited, and at least one backend is never ejected.
 *
 * <p>Thread safety: confined to the control plane.
 */
final class PoolEjections {

    private final Pool pool;
    private final Set<WatchedBackend> ejected = new LinkedHashSet<>();

    PoolEjections(Pool pool) {
        this.pool = pool;
    }

    void add(WatchedBackend backend) {
        ejected.add(backend);
    }

    void remove(WatchedBackend backend) {
        ejected.remove(backend);
    }

    /**
     * Returns whether one more backend that gets traffic may be ejected. Reads the state of every member, unless
     * too many members are already ejected.
     */
    boolean mayEject() {
        OutlierConfig config = pool.config().outlier();
        if (config.isOff() || ejected.size() >= config.maxEjected(pool.members().size())) {
            return false;
        }
        int usable = usable();
        return usable > 1 && ejected.size() < config.maxEjected(usable + ejected.size());
    }

    /** Ends all ejections if outlier detection is disabled, or if no backend of the pool takes traffic. */
    void review() {
        if (ejected.isEmpty()) {
            return;
        }
        if (pool.config().outlier().isOff()) {
            readmitAll("outlier detection is off");
        } else if (usable() == 0) {
            readmitAll("no other backend takes traffic");
        }
    }

    private void readmitAll(String reason) {
        List.copyOf(ejected).forEach(backend -> backend.readmit(reason));
    }

    private int usable() {
        int usable = 0;
        for (Member member : pool.members()) {
            if (member.isUsable()) {
                usable++;
            }
        }
        return usable;
    }
}
