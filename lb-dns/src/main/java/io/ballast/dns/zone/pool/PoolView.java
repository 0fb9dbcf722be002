package io.ballast.dns.zone;

import io.ballast.core.pool.Topology;
import io.ballast.dns.learn.RoundTripTimes;
import java.util.HashMap;
import java.util.Map;

/**
 * The pools as they are at one moment, for everything that is compiled out of it. Thread safety: confined to
 * the compiler.
 */
final class PoolView {

    private final Topology topology;
    private final RoundTripTimes learned;
    private final long nowNanos;
    private final Map<String, PoolAddresses> pools = new HashMap<>();

    /**
     * @param learned what is known of the networks of clients
     * @param nowNanos the time, on the clock of {@link System#nanoTime}
     */
    PoolView(Topology topology, RoundTripTimes learned, long nowNanos) {
        this.topology = topology;
        this.learned = learned;
        this.nowNanos = nowNanos;
    }

    PoolAddresses addresses(String pool) {
        return pools.computeIfAbsent(pool, name -> new PoolAddresses(topology.pool(name)));
    }

    RoundTripTimes learned() {
        return learned;
    }

    long nowNanos() {
        return nowNanos;
    }
}
