package io.ballast.dashboard.metrics;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.backend.BackendState;
import io.ballast.core.balance.Member;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolCounter;
import io.ballast.dashboard.live.CounterGroups;
import java.util.Map;

/** The meters of one pool and its backends. */
final class BackendMeters {

    private static final Map<BallastMeter, BackendCounter> COUNTERS = Map.of(
            BallastMeter.BACKEND_REQUESTS, BackendCounter.REQUESTS,
            BallastMeter.BACKEND_RETRIES, BackendCounter.RETRIES,
            BallastMeter.BACKEND_CLIENT_ABORTS, BackendCounter.CLIENT_ABORTS,
            BallastMeter.BACKEND_CONNECTS, BackendCounter.CONNECTS,
            BallastMeter.BACKEND_REUSES, BackendCounter.REUSES,
            BallastMeter.BACKEND_SENT, BackendCounter.BYTES_TO,
            BallastMeter.BACKEND_RECEIVED, BackendCounter.BYTES_FROM);

    private static final double NANOS_PER_SECOND = 1e9;

    private final MeterBinding binding;

    BackendMeters(MeterBinding binding) {
        this.binding = binding;
    }

    void register(Pool pool) {
        binding.register(BallastMeter.POOL_BACKENDS, () -> pool.members().size(), pool.name());
        binding.register(BallastMeter.POOL_USABLE, () -> usable(pool), pool.name());
        binding.register(BallastMeter.POOL_QUEUE, pool::waiting, pool.name());
        binding.register(BallastMeter.POOL_QUEUED, () -> pool.counters().sum(PoolCounter.QUEUED), pool.name());
        CounterGroups.QUEUE_FAILURES.forEach(counter -> binding.register(
                BallastMeter.POOL_QUEUE_FAILURES, () -> pool.counters().sum(counter), pool.name(), counter.label()));
        binding.register(
                BallastMeter.POOL_RETRIES_REFUSED, () -> pool.counters().sum(PoolCounter.RETRIES_REFUSED), pool.name());
        pool.members().forEach(this::register);
    }

    private void register(Member member) {
        Backend backend = member.backend();
        String pool = backend.pool();
        String address = backend.address().toString();
        COUNTERS.forEach((meter, counter) ->
                binding.register(meter, () -> backend.stats().sum(counter), pool, address));
        CounterGroups.CLASSES.forEach(counter -> binding.register(
                BallastMeter.BACKEND_RESPONSES, () -> backend.stats().sum(counter), pool, address, counter.label()));
        CounterGroups.FAILURES.forEach(counter -> binding.register(
                BallastMeter.BACKEND_FAILURES, () -> backend.stats().sum(counter), pool, address, counter.label()));
        binding.register(
                BallastMeter.BACKEND_CONNECTION_WAITS, () -> backend.stats().waitingForConnection(), pool, address);
        binding.register(
                BallastMeter.BACKEND_IN_FLIGHT, () -> backend.inFlight().count(), pool, address);
        binding.register(BallastMeter.BACKEND_WEIGHT, member::weight, pool, address);
        health(backend, pool, address);
    }

    private void health(Backend backend, String pool, String address) {
        for (BackendState state : BackendState.values()) {
            binding.register(
                    BallastMeter.BACKEND_STATE,
                    () -> backend.health().state() == state ? 1 : 0,
                    pool,
                    address,
                    state.label());
        }
        binding.register(
                BallastMeter.BACKEND_CHECK_TIME,
                () -> backend.health().lastCheck().took().toNanos() / NANOS_PER_SECOND,
                pool,
                address);
        binding.register(
                BallastMeter.BACKEND_CHECK_OK,
                () -> backend.health().lastCheck().ok() ? 1 : 0,
                pool,
                address);
    }

    private static long usable(Pool pool) {
        return pool.members().stream()
                .filter(member -> member.backend().health().state().isUsable())
                .count();
    }
}
