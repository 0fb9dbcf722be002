package io.ballast.core.config;

import io.ballast.core.Checks;
import java.util.Optional;

/**
 * How requests are hashed.
 *
 * @param key what of a request is hashed
 * @param maxLoad how much a backend may have in flight compared with its share of all that is in flight in the pool, above 1
 *     up to {@value #MAX_LOAD}; beyond it requests go to the next one. Absent if that is not limited
 */
public record HashConfig(HashKey key, Optional<Double> maxLoad) {

    public static final int MAX_LOAD = 100;

    /** By the client's address, without a limit. */
    public static final HashConfig DEFAULT = new HashConfig(HashKey.CLIENT, Optional.empty());

    public HashConfig {
        maxLoad.ifPresent(load ->
                Checks.that(load > 1 && load <= MAX_LOAD, "max_load", load, "more than 1, at most " + MAX_LOAD));
    }
}
