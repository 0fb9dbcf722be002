package io.ballast.core.pool;

import io.ballast.core.config.PoolConfig;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The pools of one configuration, with their backends. Immutable; each pool publishes its own snapshots.
 *
 * @param configs the configuration of each pool, by name. Before the topology is activated, it can differ
 *     from {@link Pool#config}
 * @param pools the pools by name, in the order of the configuration
 * @param generation the number of previously active topologies in this process
 */
public record Topology(Map<String, PoolConfig> configs, Map<String, Pool> pools, int generation) {

    public Topology {
        configs = Collections.unmodifiableMap(new LinkedHashMap<>(configs));
        pools = Collections.unmodifiableMap(new LinkedHashMap<>(pools));
    }

    /** Creates the first topology of a process. */
    public Topology(Map<String, PoolConfig> configs, Map<String, Pool> pools) {
        this(configs, pools, /* generation= */ 0);
    }

    /**
     * Returns the pool with this name. References in the configuration were checked, so a missing pool is a bug.
     */
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
