package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.config.CheckAddress;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.OutlierConfig;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.Pools;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests checks that start only after requests fail. */
class LazyChecksTest extends MonitoredPools {

    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final HealthConfig LAZY = new HealthConfig(
            new HealthCheck.Tcp(),
            INTERVAL,
            HealthConfig.DEFAULT_FAST_INTERVAL,
            HealthConfig.DEFAULT_TIMEOUT,
            HealthConfig.DEFAULT_RISE,
            HealthConfig.DEFAULT_FALL,
            CheckAddress.SAME_AS_BACKEND,
            /* lazy= */ true);

    private final Backend backend = Backends.unchecked(0, "web");

    @Test
    void upBackendIsNotChecked() {
        watch(LAZY, backend);
        succeed();

        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
        assertThat(waiting()).isEmpty();
        assertThat(backend.minStableTime()).isEqualTo(Backend.FOREVER);
    }

    @Test
    void downBackendIsCheckedUntilUp() {
        watch(LAZY, backend);
        fail("connection refused");
        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);

        for (int i = 0; i < HealthConfig.DEFAULT_RISE; i++) {
            scheduler.advance(INTERVAL);
            succeed();
        }

        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
        assertThat(waiting()).isEmpty();
    }

    @Test
    void refusedRequestsTriggerCheck() {
        watch(LAZY, backend);
        succeed();

        refuseRequests(backend);

        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(waiting())
                .singleElement()
                .satisfies(wait -> assertThat(wait).isLessThanOrEqualTo(HealthConfig.DEFAULT_FAST_INTERVAL));
    }

    @Test
    void ejectedBackendIsCheckedOnceIfSuccessful() {
        List<Backend> backends = List.of(backend, Backends.unchecked(1, "web"), Backends.unchecked(2, "web"));
        watch(LAZY, backends.toArray(Backend[]::new));
        backends.forEach(each -> succeed());
        assertThat(waiting()).isEmpty();

        monitor.requestEjection(backend, "5 of 5 requests failed: SERVFAIL");
        scheduler.runDue();
        assertThat(backend.health().state()).isEqualTo(BackendState.EJECTED);
        scheduler.advance(HealthConfig.DEFAULT_FAST_INTERVAL.multipliedBy(2));
        succeed();

        scheduler.advance(OutlierConfig.DEFAULT.ejection());
        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
        assertThat(waiting()).isEmpty();
        assertThat(probe.open()).isEmpty();
    }

    @Test
    void failingLastBackendIsChecked() {
        watch(LAZY, backend);
        succeed();

        monitor.checkSoon(backend);
        monitor.checkSoon(backend);
        scheduler.runDue();

        assertThat(waiting())
                .singleElement()
                .satisfies(wait -> assertThat(wait).isLessThanOrEqualTo(HealthConfig.DEFAULT_FAST_INTERVAL));
        scheduler.advance(HealthConfig.DEFAULT_FAST_INTERVAL.multipliedBy(2));
        succeed();
        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
        assertThat(waiting()).isEmpty();
    }

    @Test
    void disablingLazyChecksResumesChecks() {
        watch(LAZY, backend);
        succeed();

        watch(Pools.tcpEvery(INTERVAL), backend);

        assertThat(waiting()).hasSize(1);
    }

    private void watch(HealthConfig health, Backend... backends) {
        watch(Pools.pool("web", health, backends));
    }

    private void refuseRequests(Backend refused) {
        for (int i = 0; i < HealthConfig.DEFAULT_FALL; i++) {
            monitor.connectFailed(refused, "connection refused");
        }
        scheduler.runDue();
    }
}
