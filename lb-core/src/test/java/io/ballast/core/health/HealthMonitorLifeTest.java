package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.pool.Pool;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.Pools;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When the first results are there, and what closing ends. */
class HealthMonitorLifeTest extends MonitoredPools {

    private static final Duration INTERVAL = Duration.ofSeconds(5);
    /** An interval with its longest jitter. */
    private static final Duration LONGEST = Duration.ofMillis(5500);

    private final Backend first = Backends.unchecked(0, "web");
    private final Backend second = Backends.unchecked(1, "web");
    private final Pool pool = Pools.pool("web", Pools.tcpEvery(INTERVAL), first, second);

    @Test
    void firstResultsCompleteWhenEveryBackendHasOne() {
        watch(pool);
        CompletableFuture<Void> results = monitor.firstResults();

        succeed();
        assertThat(results).isNotDone();

        fail("connection refused");
        assertThat(results).isCompleted();
    }

    @Test
    void backendsWithoutChecksAreNotWaitedForAndNotChecked() {
        watch(Pools.pool("static", Pools.UNCHECKED, Backends.backend(5)));

        assertThat(monitor.firstResults()).isCompleted();
        assertThat(probe.started()).isZero();
    }

    @Test
    void nobodyWaitsForBackendsThatAreNotWatchedAnyMore() {
        watch(pool);
        CompletableFuture<Void> results = monitor.firstResults();

        watch(Pools.pool("static", Pools.UNCHECKED, Backends.backend(5)));

        assertThat(results).isCompleted();
    }

    @Test
    void closingStopsChecksAndWakesWhoWaits() {
        watch(pool);
        succeed();
        CompletableFuture<Void> results = monitor.firstResults();

        monitor.close();
        scheduler.runDue();
        probe.next().fail("connection refused");
        scheduler.advance(LONGEST);

        assertThat(results).isCompletedExceptionally();
        assertThat(second.health().state()).isEqualTo(BackendState.UNKNOWN);
        assertThat(probe.started()).isEqualTo(2);
        assertThat(scheduler.waiting()).isEmpty();
    }

    @Test
    void afterCloseNothingIsWatchedNorObeyed() {
        watch(pool);
        monitor.close();
        scheduler.runDue();

        watch(Pools.pool("late", Pools.tcpEvery(INTERVAL), Backends.unchecked(9, "late")));
        monitor.order(first, drain("ann"));
        monitor.connectFailed(first, "connection refused");
        scheduler.runDue();

        assertThat(probe.started()).isEqualTo(2);
        assertThat(first.health().state()).isEqualTo(BackendState.UNKNOWN);
        assertThat(monitor.firstResults())
                .as("nobody waits for what never comes")
                .isCompletedExceptionally();
    }
}
