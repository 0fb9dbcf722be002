package io.ballast.core.config;

import io.ballast.core.Checks;
import java.util.Optional;

/**
 * The hash key of requests.
 *
 * @param key the part of a request that is hashed
 * @param maxLoad limit of a backend's in-flight exchanges relative to its fair share of the pool's exchanges,
 *     above 1 up to {@value #MAX_LOAD}; surplus requests go to other backends. Absent for no limit
 */
public record HashConfig(HashKey key, Optional<Double> maxLoad) {

    public static final int MAX_LOAD = 100;

    /** Hashes the client's address, without a load limit for backends. */
    public static final HashConfig DEFAULT = new HashConfig(HashKey.CLIENT, Optional.empty());

    public HashConfig {
        maxLoad.ifPresent(load ->
                Checks.that(load > 1 && load <= MAX_LOAD, "max_load", load, "more than 1, at most " + MAX_LOAD));
    }
}
