package io.ballast.config.keys.pool;

import io.ballast.config.BallastConfig;
import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Node;

/** Checks that the {@code geo} section exists if a pool balances by client location. */
public final class GeoStrategies {

    private GeoStrategies() {}

    /** Reports every pool that balances by client location if the configuration has no regions. */
    public static void check(BallastConfig config, Node.Mapping root, ReadContext reading) {
        if (config.geo().isPresent() || !reading.isComplete()) {
            return;
        }
        config.pools().forEach((name, pool) -> {
            if (pool.strategy().needsGeography()) {
                reading.error(
                        strategy(root, name), "strategy geo without regions (expected: the key 'geo' with regions)");
            }
        });
    }

    /** Returns the location of a pool's strategy, or the root of the file if that location is unknown. */
    private static Node strategy(Node.Mapping root, String pool) {
        Node node = root;
        for (String key : new String[] {"pools", pool, "strategy"}) {
            if (node instanceof Node.Mapping mapping && mapping.entry(key).isPresent()) {
                node = mapping.entry(key).get().value();
            }
        }
        return node;
    }
}
