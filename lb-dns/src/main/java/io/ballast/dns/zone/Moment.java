package io.ballast.dns.zone;

import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import java.util.HashMap;
import java.util.Map;

/**
 * The pools as they are at one moment, for everything that is compiled out of it. Thread safety: confined to the control
 * plane.
 */
final class Moment {

    private final Topology topology;
    private final long nowNanos;
    private final Map<String, PoolAddresses> pools = new HashMap<>();

    /** @param nowNanos the time, on the clock of {@link System#nanoTime} */
    Moment(Topology topology, long nowNanos) {
        this.topology = topology;
        this.nowNanos = nowNanos;
    }

    PoolAddresses addresses(String pool) {
        return pools.computeIfAbsent(pool, name -> new PoolAddresses(topology.pool(name)));
    }

    Pool pool(String name) {
        return topology.pool(name);
    }

    long nowNanos() {
        return nowNanos;
    }
}
