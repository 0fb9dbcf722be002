package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.Pools;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests how soon a backend that is down is checked again. */
class CheckPaceTest extends MonitoredPools {

    private static final Duration INTERVAL = Duration.ofMinutes(10);
    private static final Duration FAST = Duration.ofSeconds(1);

    private final Backend backend = Backends.unchecked(0, "web");

    @Test
    void passivelyDownBackendIsCheckedWithinFastInterval() {
        watch(Pools.tcpEvery(INTERVAL), backend);
        succeed();

        refuseRequests(backend);
        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);
        scheduler.advance(FAST);
        succeed();
        scheduler.advance(Duration.ofMillis(1100));
        succeed();

        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
        assertThat(waiting()).as("the check of the old pace is taken back").hasSize(1);
    }

    @Test
    void waitDoublesUpToIntervalWhileDown() {
        watch(Pools.tcpEvery(Duration.ofSeconds(20)), backend);
        succeed();
        refuseRequests(backend);

        for (int i = 0; i < 7; i++) {
            Duration wait = waiting().get(0);
            assertThat(wait.toMillis())
                    .as("wait %d", i)
                    .isBetween(Math.min(500L << i, 18_000), Math.min(1000L << i, 22_000));
            scheduler.advance(wait);
            fail("connection refused");
        }
    }

    @Test
    void activelyDownBackendIsCheckedWithinFastInterval() {
        watch(Pools.tcpEvery(INTERVAL), backend);

        fail("connection refused");

        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(waiting().get(0)).isBetween(Duration.ofMillis(500), FAST);
    }

    @Test
    void shorterIntervalAppliesImmediatelyLongerAfterNextCheck() {
        watch(Pools.tcpEvery(INTERVAL), backend);
        succeed();

        watch(Pools.tcpEvery(Duration.ofSeconds(10)), backend);
        assertThat(waiting())
                .singleElement()
                .satisfies(wait -> assertThat(wait).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(11)));
        watch(Pools.tcpEvery(INTERVAL), backend);

        assertThat(waiting())
                .singleElement()
                .satisfies(wait -> assertThat(wait).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(11)));
    }

    @Test
    void usesConfiguredFastInterval() {
        Duration fast = Duration.ofMillis(200);
        watch(
                new HealthConfig(
                        new HealthCheck.Tcp(),
                        INTERVAL,
                        fast,
                        HealthConfig.DEFAULT_TIMEOUT,
                        /* rise= */ 3,
                        /* fall= */ 3),
                backend);
        succeed();

        refuseRequests(backend);
        assertThat(waiting().get(0)).isBetween(Duration.ofMillis(100), fast);
        scheduler.advance(fast);
        succeed();

        assertThat(waiting().get(0)).isBetween(Duration.ofMillis(180), Duration.ofMillis(220));
    }

    @Test
    void runningCheckIsNotStartedAgain() {
        watch(Pools.tcpEvery(INTERVAL), backend);
        succeed();
        scheduler.advance(INTERVAL.multipliedBy(2));
        assertThat(probe.open()).hasSize(1);

        refuseRequests(backend);
        scheduler.advance(FAST);

        assertThat(probe.open()).hasSize(1);
    }

    @Test
    void checksOfSimultaneousFailuresAreSpread() {
        int count = 200;
        Backend[] rack = IntStream.range(0, count)
                .mapToObj(i -> Backends.unchecked(i, "web"))
                .toArray(Backend[]::new);
        watch(Pools.tcpEvery(INTERVAL), rack);
        for (int i = 0; i < count; i++) {
            succeed();
        }

        refuseRequests(rack);

        Set<Long> slices = new HashSet<>();
        waiting().stream()
                .filter(wait -> wait.compareTo(FAST) <= 0) // excludes the task that logs the end of a burst
                .forEach(wait -> slices.add(wait.toMillis() / 50));
        assertThat(slices).as("slices of 50 ms that begin checks").hasSize(10);
        scheduler.advance(FAST);
        assertThat(probe.open()).hasSize(count);
    }

    @Test
    void longOutageNeedsFewExtraChecks() {
        watch(Pools.tcpEvery(INTERVAL), backend);
        succeed();
        refuseRequests(backend);
        int before = probe.started();

        for (int minute = 0; minute < 10_000; minute++) {
            scheduler.advance(Duration.ofMinutes(1));
            while (!probe.open().isEmpty()) {
                fail("connection refused");
            }
        }

        assertThat(probe.started() - before).isBetween(900, 1030);
    }

    private void watch(HealthConfig health, Backend... backends) {
        watch(Pools.pool("web", health, backends));
    }

    private void refuseRequests(Backend... backends) {
        for (Backend refused : backends) {
            for (int i = 0; i < HealthConfig.DEFAULT_FALL; i++) {
                monitor.connectFailed(refused, "connection refused");
            }
        }
        scheduler.runDue();
    }
}
