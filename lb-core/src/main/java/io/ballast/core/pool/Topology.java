package io.ballast.core.pool;

import io.ballast.core.config.BallastConfig;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One configuration come to life: its pools with their backends. Immutable as a whole; the pools inside publish their
 * own snapshots.
 *
 * @param config what it was built from
 * @param pools by name, in the order of the configuration
 * @param generation how many topologies ran before it in this process
 */
public record Topology(BallastConfig config, Map<String, Pool> pools, int generation) {

    public Topology {
        pools = Collections.unmodifiableMap(new LinkedHashMap<>(pools));
    }

    /** The first one. */
    public Topology(BallastConfig config, Map<String, Pool> pools) {
        this(config, pools, /* generation= */ 0);
    }

    /** The pool of that name; the configuration's references were checked, so a missing one is a defect. */
    public Pool pool(String name) {
        Pool pool = pools.get(name);
        if (pool == null) {
            throw new IllegalArgumentException("pool: " + name + " (expected: one of " + pools.keySet() + ")");
        }
        return pool;
    }

    public List<Pool> poolList() {
        return List.copyOf(pools.values());
    }
}
