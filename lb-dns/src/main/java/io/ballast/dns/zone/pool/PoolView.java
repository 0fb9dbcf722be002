package io.ballast.dns.zone.pool;

import io.ballast.core.pool.Topology;
import io.ballast.dns.answer.data.AddressFamily;
import io.ballast.dns.follow.AliasAddresses;
import io.ballast.dns.follow.FollowedAddresses;
import io.ballast.dns.learn.RoundTripTimes;
import java.util.HashMap;
import java.util.Map;

/**
 * A snapshot of the pools and the resolved external names, which all zones compiled at that moment share. Thread
 * safety: confined to the compiler thread.
 */
public final class PoolView {

    private final Topology topology;
    private final RoundTripTimes roundTripTimes;
    private final AliasAddresses aliasAddresses;
    private final long nowNanos;
    private final Map<String, PoolAddresses> pools = new HashMap<>();

    /**
     * @param learned round-trip times of client networks
     * @param followed addresses of external names
     * @param nowNanos the time, on the clock of {@link System#nanoTime}
     */
    public PoolView(Topology topology, RoundTripTimes learned, AliasAddresses followed, long nowNanos) {
        this.topology = topology;
        this.roundTripTimes = learned;
        this.aliasAddresses = followed;
        this.nowNanos = nowNanos;
    }

    public PoolAddresses addresses(String pool) {
        return pools.computeIfAbsent(pool, name -> new PoolAddresses(topology.pool(name)));
    }

    /** The addresses of an external name. */
    public FollowedAddresses addresses(String alias, AddressFamily family) {
        return aliasAddresses.addressesOf(alias, family);
    }

    public RoundTripTimes roundTripTimes() {
        return roundTripTimes;
    }

    public long nowNanos() {
        return nowNanos;
    }
}
