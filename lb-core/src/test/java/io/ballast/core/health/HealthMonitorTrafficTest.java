package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.balance.Member;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.control.Event;
import io.ballast.core.pool.Pool;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.ManualProbe;
import io.ballast.core.testing.Pools;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the effects of failed requests, overrides of operators and reloads. */
class HealthMonitorTrafficTest extends MonitoredPools {

    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofMillis(5500);
    private static final int FALL = HealthConfig.DEFAULT_FALL;

    private final Backend backend = Backends.unchecked(0, "web");
    private final Pool pool = pool(Pools.tcpEvery(INTERVAL), backend);

    @BeforeEach
    void backendIsUp() {
        watch(pool);
        succeed();
    }

    @Test
    void failedRequestsMarkBackendDownBeforeCheck() {
        for (int i = 0; i < FALL; i++) {
            assertThat(backend.health().state()).isEqualTo(BackendState.UP);
            failRequests(1);
        }

        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(backend.health().origin()).isEqualTo(Origin.PASSIVE);
        assertThat(backend.health().reason()).isEqualTo("connection refused");
        assertThat(backend.health().lastCheck().ok()).as("the last check stays").isTrue();
        assertThat(pool.snapshot().usable()).isEmpty();
        assertThat(probe.started()).isEqualTo(1);
    }

    @Test
    void manyFailuresCreateOneTaskAndAllCount() {
        int before = waiting().size();

        for (int i = 0; i < 10_000; i++) {
            monitor.connectFailed(backend, "connection refused");
        }
        assertThat(waiting()).hasSize(before + 1);
        scheduler.runDue();

        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);
    }

    @Test
    void laterFailuresCreateAnotherTask() {
        failRequests(FALL - 1);
        failRequests(1);

        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);
    }

    @Test
    void responseResetsFailedRequests() {
        failRequests(FALL - 1);
        backend.stats().counters(0).increment(BackendCounter.RESPONSES_5XX);

        failRequests(FALL - 1);
        assertThat(backend.health().state()).isEqualTo(BackendState.UP);

        failRequests(1);
        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);
    }

    @Test
    void successfulCheckResetsFailedRequests() {
        failRequests(FALL - 1);
        scheduler.advance(LONGEST);
        probe.next().succeed("connected");

        failRequests(FALL - 1);

        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
    }

    @Test
    void checksRecoverPassivelyDownBackend() {
        failRequests(FALL);

        scheduler.advance(LONGEST);
        probe.next().succeed("connected");
        scheduler.advance(Duration.ofMillis(1100));
        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);
        probe.next().succeed("connected");
        scheduler.runDue();

        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
        assertThat(pool.snapshot().usable()).hasSize(1);
    }

    @Test
    void failedRequestsDoNotMarkUncheckedBackendDown() {
        Backend unchecked = Backends.backend(7);
        watch(pool(Pools.UNCHECKED, unchecked));

        for (int i = 0; i < 10; i++) {
            monitor.connectFailed(unchecked, "connection refused");
            scheduler.runDue();
        }

        assertThat(unchecked.health().state()).isEqualTo(BackendState.UP);
    }

    @Test
    void failuresOfUncheckedBackendAreLoggedOncePerMinute() {
        Backend unchecked = Backends.backend(7);
        watch(pool(Pools.UNCHECKED, unchecked));

        for (int i = 0; i < 3; i++) {
            monitor.connectFailed(unchecked, "the certificate has expired");
            scheduler.runDue();
        }
        assertThat(reported(unchecked))
                .containsExactly("connections fail, but the backend stays in use: the certificate has expired");

        scheduler.advance(Duration.ofMinutes(1));
        monitor.connectFailed(unchecked, "connection refused");
        scheduler.runDue();
        assertThat(reported(unchecked)).hasSize(2);
    }

    private List<String> reported(Backend backend) {
        return control.timeline().recent().stream()
                .filter(event -> event.subject().equals(backend.toString())
                        && event.text().contains("stays in use"))
                .map(event -> event.text())
                .toList();
    }

    @Test
    void failedRequestsOfAnUnknownBackendAreIgnored() {
        int before = waiting().size();

        monitor.connectFailed(Backends.backend(99), "connection refused");

        assertThat(waiting()).hasSize(before);
    }

    @Test
    void drainRemovesBackendAndNamesOperator() {
        monitor.applyOverride(backend, drain("ann"));
        scheduler.runDue();

        assertThat(backend.health().state()).isEqualTo(BackendState.DRAINING);
        assertThat(backend.health().origin()).isEqualTo(Origin.OPERATOR);
        assertThat(pool.snapshot().usable()).isEmpty();
        assertThat(lastEvent()).isEqualTo("draining: override by ann");
    }

    @Test
    void drainedBackendIsCheckedAndStaysDrained() {
        monitor.applyOverride(backend, drain("ann"));
        scheduler.advance(LONGEST);

        probe.next().fail("connection refused");
        scheduler.runDue();

        assertThat(backend.health().state()).isEqualTo(BackendState.DRAINING);
        assertThat(backend.health().lastCheck().text()).isEqualTo("connection refused");
        assertThat(lastEvent()).isEqualTo("draining: override by ann");
    }

    @Test
    void enableReturnsBackendImmediately() {
        monitor.applyOverride(backend, drain("ann"));
        monitor.enable(backend, "bob");
        scheduler.runDue();

        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
        assertThat(pool.snapshot().usable()).hasSize(1);
        assertThat(lastEvent()).isEqualTo("up: enabled by bob");
    }

    @Test
    void repeatedOverrideIsOneEvent() {
        int before = control.timeline().recent().size();

        monitor.applyOverride(backend, drain("ann"));
        monitor.applyOverride(backend, drain("ann"));

        assertThat(control.timeline().recent()).hasSize(before + 1);
        monitor.applyOverride(backend, drain("bob"));
        assertThat(backend.health().reason()).isEqualTo("override by bob");
    }

    @Test
    void overrideOfUnwatchedBackendIsIgnored() {
        Backend untrusted = Backends.backend(99);

        monitor.applyOverride(untrusted, drain("ann"));
        monitor.enable(untrusted, "ann");
        scheduler.runDue();

        assertThat(untrusted.health().state()).isEqualTo(BackendState.UP);
    }

    @Test
    void reloadKeepsBackendState() {
        failRequests(FALL - 1);
        Pool reloaded = pool(Pools.tcpEvery(INTERVAL), backend);

        watch(reloaded);

        assertThat(probe.started()).as("no check out of turn").isEqualTo(1);
        assertThat(monitor.firstResults()).isCompleted();
        failRequests(1);
        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(reloaded.snapshot().usable()).isEmpty();
        assertThat(pool.snapshot().usable()).as("the old pool is left alone").hasSize(1);
    }

    @Test
    void changedCheckRestartsFromCurrentState() {
        Pool reloaded =
                pool(new HealthConfig(pool.config().health().check(), INTERVAL, Duration.ofMillis(300), 1, 1), backend);

        watch(reloaded);

        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
        assertThat(probe.next().timeout()).isEqualTo(Duration.ofMillis(300));
        failRequests(1);
        assertThat(backend.health().state()).as("fall is 1 now").isEqualTo(BackendState.DOWN);
    }

    @Test
    void queuedFailuresOfReplacedWatchAreDropped() {
        Pool fallsAtOnce =
                pool(new HealthConfig(pool.config().health().check(), INTERVAL, Duration.ofMillis(300), 1, 1), backend);
        monitor.watch(Pools.topology(fallsAtOnce)); // the control plane has not processed this topology yet

        failRequests(FALL);

        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
        assertThat(control.timeline().recent()).extracting(Event::text).containsExactly("up: connected");
    }

    @Test
    void reloadStopsChecksOfRemovedBackends() {
        scheduler.advance(LONGEST);
        ManualProbe.Check running = probe.next();
        Backend other = Backends.unchecked(3, "web");

        watch(pool(Pools.tcpEvery(INTERVAL), other));
        running.fail("connection refused");
        scheduler.advance(LONGEST);

        assertThat(backend.health().lastCheck().ok())
                .as("the late result is dropped")
                .isTrue();
        assertThat(probe.open()).extracting(ManualProbe.Check::target).containsExactly(other.socketAddress());
    }

    @Test
    void newBackendOfTargetGetsLastResult() {
        Backend twin = Backends.unchecked(0, "api");

        watch(pool, pool("api", Pools.tcpEvery(INTERVAL), twin));

        assertThat(twin.health().state()).isEqualTo(BackendState.UP);
        assertThat(monitor.firstResults()).isCompleted();
        assertThat(probe.started()).isEqualTo(1);
    }

    private void failRequests(int count) {
        for (int i = 0; i < count; i++) {
            monitor.connectFailed(backend, "connection refused");
        }
        scheduler.runDue();
    }

    private String lastEvent() {
        List<Event> events = control.timeline().recent();
        return events.get(events.size() - 1).text();
    }

    private static Pool pool(HealthConfig health, Backend backend) {
        return pool("web", health, backend);
    }

    private static Pool pool(String name, HealthConfig health, Backend backend) {
        return Pools.pool(name, health, List.of(new Member(backend, /* weight= */ 1, /* priority= */ 0)));
    }
}
