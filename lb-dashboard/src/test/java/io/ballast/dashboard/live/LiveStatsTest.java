package io.ballast.dashboard.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.PoolCounter;
import io.ballast.core.pool.Topology;
import io.ballast.core.stats.Counters;
import io.ballast.dashboard.DashboardSources;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.FakeListener;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LiveStatsTest {

    private final ControlPlane control = ControlPlane.start(Clock.systemUTC());
    private Topology topology = DashboardFixture.topology(Map.of("web", 2));
    private final FakeListener listener = new FakeListener();
    private final LiveStats live =
            new LiveStats(DashboardSources.of(() -> topology, control, "1").withListeners(List.of(listener)));
    private long second;

    @AfterEach
    void stop() {
        control.close();
    }

    @Test
    void turnsTotalsIntoRatesAndShares() {
        tick();
        requests(0, 30);
        requests(1, 10);
        tick();

        PoolSeries pool = live.pools().get(0);
        assertThat(pool.backends().get(0).rps()).isEqualTo(30);
        assertThat(pool.backends().get(0).share()).isEqualTo(0.75);
        assertThat(pool.backends().get(1).share()).isEqualTo(0.25);
        assertThat(pool.attempts().rps()).isEqualTo(40);
        assertThat(live.overall().recent().latency().averageMillis()).isEqualTo(4);
    }

    @Test
    void theWholeIsWhatClientsGotThoughNoBackendWasAsked() {
        tick();
        listener.traffic(100, 100);
        tick();

        assertThat(live.overall().rps()).isEqualTo(100);
        assertThat(live.overall().errorsPerSecond()).isEqualTo(100);
        assertThat(live.overall().recent().errorShare()).isEqualTo(1);
        assertThat(last(live.history().errorRate())).isEqualTo(100);
        assertThat(live.pools().get(0).attempts().rps()).isZero();
    }

    @Test
    void aPoolWithoutUsableBackendsHasTheErrorsOfItsClients() {
        tick();
        Counters.Shard<PoolCounter> counters = topology.pool("web").counters().shard(0);
        counters.add(PoolCounter.REQUESTS, 10);
        counters.add(PoolCounter.ERRORS, 10);
        tick();

        assertThat(live.pools().get(0).requests().rps()).isEqualTo(10);
        assertThat(live.pools().get(0).requests().recent().errorShare()).isEqualTo(1);
    }

    @Test
    void attemptsThatFindNoConnectionAreErrorsOfTheBackend() {
        tick();
        tick();
        tick();
        backend(0).stats().counters(0).add(BackendCounter.FAILED_CONNECT_REFUSED, 5);
        tick();

        BackendSeries backend = live.pools().get(0).backends().get(0);
        assertThat(backend.total().requests()).isZero();
        assertThat(backend.recent().errorShare()).isEqualTo(1);
    }

    @Test
    void aPoolHasInFlightWhatItsBackendsHave() {
        backend(0).inFlight().begin();
        backend(1).inFlight().begin();
        tick();
        backend(1).inFlight().begin();

        PoolSeries pool = live.pools().get(0);
        assertThat(pool.attempts().total().inFlight()).isEqualTo(2);
        assertThat(pool.backends().stream()
                        .mapToDouble(series -> series.row()[Row.COLUMNS.indexOf("in_flight")])
                        .sum())
                .isEqualTo(2);
    }

    @Test
    void aBackendThatWasQuietIsReadAgainWhenItHasWork() {
        for (int i = 0; i < 5; i++) {
            tick();
        }
        requests(0, 2);
        tick();

        assertThat(live.pools().get(0).backends().get(0).total().requests()).isEqualTo(2);
        assertThat(live.pools().get(0).backends().get(0).rowChanged()).isTrue();
        assertThat(live.pools().get(0).backends().get(1).rowChanged()).isFalse();
    }

    @Test
    void aResponseThatEndsAfterItsRequestWasSampledIsNotMissed() {
        Backend backend = backend(0);
        tick();
        backend.stats().counters(0).increment(BackendCounter.REQUESTS);
        backend.inFlight().begin();
        for (int i = 0; i < 4; i++) {
            tick();
        }
        backend.stats().latency(0).record(TimeUnit.SECONDS.toNanos(3));
        backend.inFlight().end();
        tick();

        assertThat(live.pools().get(0).backends().get(0).total().latency().count())
                .isEqualTo(1);
    }

    @Test
    void aReloadStartsTheRatesAnewAndNeverShowsNegativeOnes() {
        requests(0, 500);
        tick();
        topology = DashboardFixture.topology(Map.of("other", 1));

        assertThat(tick()).isTrue();
        assertThat(live.overall().rps()).isZero();
        assertThat(live.overall().recent().requests()).isZero();
        assertThat(tick()).isFalse();
    }

    private static double last(FloatRing ring) {
        double[] value = {Double.NaN};
        ring.forEach(each -> value[0] = each);
        return value[0];
    }

    private boolean tick() {
        return live.sample(TimeUnit.SECONDS.toNanos(++second));
    }

    private Backend backend(int index) {
        return topology.pool("web").members().get(index).backend();
    }

    private void requests(int index, int count) {
        for (int i = 0; i < count; i++) {
            backend(index).stats().counters(0).increment(BackendCounter.REQUESTS);
            backend(index).stats().latency(1).record(TimeUnit.MILLISECONDS.toNanos(4));
        }
    }
}
