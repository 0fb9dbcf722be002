package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.config.HostPort;
import io.ballast.core.pool.AddressChange;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.ManualProbe;
import io.ballast.core.testing.Pools;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests when the first check results are complete, and what close() stops. */
class HealthMonitorLifecycleTest extends MonitoredPools {

    private static final Duration INTERVAL = Duration.ofSeconds(5);
    /** A check interval plus its maximum jitter. */
    private static final Duration LONGEST = Duration.ofMillis(5500);

    private final Backend first = Backends.unchecked(0, "web");
    private final Backend second = Backends.unchecked(1, "web");
    private final Pool pool = Pools.pool("web", Pools.tcpEvery(INTERVAL), first, second);

    @Test
    void firstResultsCompleteAfterAllBackends() {
        watch(pool);
        CompletableFuture<Void> results = monitor.firstResults();

        succeed();
        assertThat(results).isNotDone();

        fail("connection refused");
        assertThat(results).isCompleted();
    }

    @Test
    void ignoresBackendsWithoutChecks() {
        watch(Pools.pool("static", Pools.UNCHECKED, Backends.backend(5)));

        assertThat(monitor.firstResults()).isCompleted();
        assertThat(probe.started()).isZero();
    }

    @Test
    void firstResultsIgnoreUnwatchedBackends() {
        watch(pool);
        CompletableFuture<Void> results = monitor.firstResults();

        watch(Pools.pool("static", Pools.UNCHECKED, Backends.backend(5)));

        assertThat(results).isCompleted();
    }

    @Test
    void checksFollowChangedAddress() throws UnknownHostException {
        watch(pool);
        succeed();
        succeed();
        Topology running = Pools.topology(pool);
        HealthStatus before = first.health();

        AddressChange change =
                AddressChange.of(running, Map.of(first.address().host(), InetAddress.getByName("10.9.9.9")));
        change.commit(control.clock().instant());
        monitor.watchAndRefresh(running, change.pools());
        scheduler.runDue();

        assertThat(probe.open())
                .extracting(ManualProbe.Check::target)
                .containsExactly(new InetSocketAddress("10.9.9.9", 8080));
        assertThat(first.health()).isEqualTo(before);
        fail("connection refused");
        assertThat(first.health().lastCheck().text()).isEqualTo("connection refused");
    }

    @Test
    void backendIsCheckedAfterItGetsAddress() throws UnknownHostException {
        Backend lost = new Backend(
                3,
                "web",
                new HostPort("lost.internal", 80),
                InetSocketAddress.createUnresolved("lost.internal", 80),
                /* maxInFlight= */ 0,
                /* shards= */ 1,
                HealthStatus.withoutAddress("lost.internal", control.clock().instant()));
        Pool web = Pools.pool("web", Pools.tcpEvery(INTERVAL), lost);
        watch(web);
        assertThat(probe.started()).isZero();
        assertThat(monitor.firstResults()).isCompleted();

        Topology running = Pools.topology(web);
        AddressChange change = AddressChange.of(running, Map.of("lost.internal", InetAddress.getByName("10.0.0.7")));
        change.commit(control.clock().instant());
        monitor.watchAndRefresh(running, change.pools());
        scheduler.runDue();
        succeed();
        scheduler.advance(LONGEST);
        succeed();

        assertThat(lost.health().state()).isEqualTo(BackendState.UP);
        assertThat(web.snapshot().usable()).hasSize(1);
    }

    @Test
    void closeStopsChecksAndFailsFirstResults() {
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
    void closedMonitorIgnoresCommands() {
        watch(pool);
        monitor.close();
        scheduler.runDue();

        watch(Pools.pool("late", Pools.tcpEvery(INTERVAL), Backends.unchecked(9, "late")));
        monitor.applyOverride(first, drain("ann"));
        monitor.connectFailed(first, "connection refused");
        scheduler.runDue();

        assertThat(probe.started()).isEqualTo(2);
        assertThat(first.health().state()).isEqualTo(BackendState.UNKNOWN);
        assertThat(monitor.firstResults())
                .as("the pending result fails when the monitor closes")
                .isCompletedExceptionally();
    }
}
