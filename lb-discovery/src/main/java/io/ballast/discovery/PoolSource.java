package io.ballast.discovery;

import io.ballast.config.BallastConfig;
import io.ballast.core.config.PoolDiscovery;
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
        config.pools().forEach((pool, settings) -> all.addAll(of(pool, settings.discover())));
        return all;
    }

    /** Returns the sources of one pool; a number distinguishes sources with equal names. */
    static List<PoolSource> of(String pool, List<PoolDiscovery> discover) {
        List<PoolSource> all = new ArrayList<>();
        List<String> labels = new ArrayList<>();
        for (PoolDiscovery each : discover) {
            long before = labels.stream().filter(each.label()::equals).count();
            labels.add(each.label());
            all.add(new PoolSource(pool, before == 0 ? each.label() : each.label() + " " + (before + 1), each));
        }
        return all;
    }
}
