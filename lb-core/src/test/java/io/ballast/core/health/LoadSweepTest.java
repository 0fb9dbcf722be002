package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.Pools;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadSweepTest extends MonitoredPools {

    /** The period after which the times in the cells wrap around. */
    private static final Duration WRAP = Duration.ofNanos(1L << 46);

    private static final long ANSWER = Duration.ofSeconds(30).toNanos();

    private final Backend backend = Backends.backend(0);

    @Test
    void expiredFailuresDoNotReturnWhenTimeWraps() {
        new LoadSweep(control, () -> List.of(backend), scheduler::nanoTime).start();
        scheduler.advance(LoadSweep.PERIOD.minusSeconds(1));
        backend.inFlight().recordFailure(ANSWER, scheduler.nanoTime());

        scheduler.advance(Duration.ofSeconds(2));
        assertThat(backend.inFlight().hasFailedLately(scheduler.nanoTime()))
                .as("what counts is not swept")
                .isTrue();
        scheduler.advance(WRAP.minusSeconds(2));

        assertThat(backend.inFlight().load(scheduler.nanoTime())).isZero();
    }

    @Test
    void sweepsAllWatchedBackends() {
        watch(Pools.pool("web", Pools.UNCHECKED, backend));
        long longAgo = System.nanoTime() - Duration.ofMinutes(10).toNanos();
        backend.inFlight().recordFailure(ANSWER, longAgo);
        assertThat(backend.inFlight().load(longAgo)).isEqualTo(2);

        scheduler.advance(LoadSweep.PERIOD);

        assertThat(backend.inFlight().load(longAgo)).isZero();
    }
}
