package io.ballast.discovery;

import io.ballast.config.BallastConfig;
import io.ballast.core.config.DiscoveryConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.PoolDiscovery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One source of one pool.
 *
 * @param label distinguishes the source from other sources of its pool, such as {@code dns app.internal}
 */
record PoolSource(String pool, String label, PoolDiscovery discovery) {

    SourceName name() {
        return new SourceName(pool, label);
    }

    /** Returns the sources of all pools in the order of the configuration. */
    static List<PoolSource> of(BallastConfig config) {
        List<PoolSource> all = new ArrayList<>();
        config.pools().forEach((pool, settings) -> all.addAll(of(pool, settings)));
        return all;
    }

    /** Returns the sources of one pool; a number distinguishes sources with equal names. */
    static List<PoolSource> of(String pool, PoolConfig settings) {
        List<PoolSource> all = new ArrayList<>();
        List<String> labels = new ArrayList<>();
        for (PoolDiscovery each : settings.discover()) {
            long before = labels.stream().filter(each.label()::equals).count();
            labels.add(each.label());
            all.add(new PoolSource(pool, before == 0 ? each.label() : each.label() + " " + (before + 1), each));
        }
        if (settings.agents().isPresent()) {
            PoolDiscovery agents = agents(pool);
            all.add(new PoolSource(pool, agents.label(), agents));
        }
        return all;
    }

    /**
     * Returns the source of the backends of agents. It has no hold time, because agents have their own limits and
     * times. It may report addresses of this machine, because an agent often runs here.
     */
    private static PoolDiscovery agents(String pool) {
        return new PoolDiscovery(new DiscoveryConfig.Agents(pool), /* hold= */ Duration.ZERO, /* allowLocal= */ true);
    }
}
