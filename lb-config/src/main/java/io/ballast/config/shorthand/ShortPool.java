package io.ballast.config.shorthand;

import io.ballast.config.key.Located;
import io.ballast.config.key.ReadContext;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.RetryConfig;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Builds the single pool of the short form from its backends; pool settings must be equal for all backends. */
final class ShortPool {

    /** The default of Divisor's {@code max_idemponent_call_attempts}. */
    private static final int ATTEMPTS = 5;

    private final List<Located<ShortBackend>> backends;
    private final ReadContext reading;

    ShortPool(List<Located<ShortBackend>> backends, ReadContext reading) {
        this.backends = backends;
        this.reading = reading;
    }

    PoolConfig build(StrategyKind strategy, ShortHealthCheck health, Duration responseTimeout) {
        if (strategy == StrategyKind.WEIGHTED_ROUND_ROBIN && backends.size() > 1) {
            backends.forEach(this::demandWeight);
        }
        return PoolConfig.builder(ShortForm.POOL)
                .strategy(StrategyConfig.of(strategy))
                .backends(backends.stream()
                        .map(backend -> backend(backend.value()))
                        .toList())
                .health(health(health))
                .connections(connections(responseTimeout))
                .retry(retry())
                .build();
    }

    private void demandWeight(Located<ShortBackend> backend) {
        Optional<Located<Integer>> weight = backend.value().weight();
        if (weight.isEmpty()) {
            reading.error(
                    backend.node(), "missing key 'weight' (expected: a weight for every backend with w-round-robin)");
        } else if (weight.get().value() == 0) {
            reading.mismatch(weight.get().node(), ">= 1 with w-round-robin");
        }
    }

    private static BackendConfig backend(ShortBackend backend) {
        int weight = backend.weight().map(Located::value).orElse(BackendConfig.DEFAULT_WEIGHT);
        return new BackendConfig(backend.url(), weight, BackendConfig.DEFAULT_PRIORITY);
    }

    private HealthConfig health(ShortHealthCheck health) {
        HealthConfig defaults = HealthConfig.DEFAULT;
        return new HealthConfig(
                shared(ShortBackend::healthCheckPath)
                        .or(health::path)
                        .map(ShortPool::httpCheck)
                        .orElse(defaults.check()),
                health.interval().orElse(defaults.interval()),
                defaults.timeout(),
                defaults.rise(),
                defaults.fall());
    }

    private static HealthCheck httpCheck(String path) {
        return new HealthCheck.Http(
                HealthCheck.Http.DEFAULT_METHOD, path, Optional.empty(), HealthCheck.Http.DEFAULT_EXPECTED);
    }

    /** Returns a retry policy with as many attempts as Divisor makes. */
    private RetryConfig retry() {
        int attempts = shared(ShortBackend::attempts).flatMap(given -> given).orElse(ATTEMPTS);
        return RetryConfig.DEFAULT.withAttempts(attempts, /* sameBackend= */ true);
    }

    private BackendConnections connections(Duration responseTimeout) {
        BackendConnections defaults = BackendConnections.DEFAULT;
        return defaults.with(
                responseTimeout,
                shared(ShortBackend::maxIdleConnDuration)
                        .flatMap(given -> given)
                        .orElse(defaults.idleTimeout()),
                shared(ShortBackend::maxConnDuration).flatMap(given -> given).orElse(defaults.maxAge()),
                shared(ShortBackend::maxConn).flatMap(given -> given).orElse(defaults.maxInFlight()));
    }

    /**
     * Returns the first backend's value of a setting. A different value of another backend is an error; a missing
     * value is a warning.
     */
    private <T> Optional<T> shared(Function<ShortBackend, Optional<Located<T>>> getter) {
        List<Located<T>> given = backends.stream()
                .flatMap(backend -> getter.apply(backend.value()).stream())
                .toList();
        if (given.isEmpty()) {
            return Optional.empty();
        }
        Located<T> first = given.get(0);
        for (Located<T> other : given) {
            if (!other.value().equals(first.value())) {
                reading.mismatch(
                        other.node(),
                        "the same value as at " + first.node().place() + "; this setting applies to the whole pool");
            }
        }
        if (given.size() < backends.size()) {
            reading.warning(first.node(), "applies to all backends of the pool; it cannot be set for a single backend");
        }
        return Optional.of(first.value());
    }
}
