package io.ballast.dashboard.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.balance.Member;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolCounter;
import io.ballast.core.pool.Topology;
import io.ballast.core.stats.Counters;
import io.ballast.dashboard.source.DashboardSources;
import io.ballast.dashboard.source.DnsStatistics;
import io.ballast.dashboard.source.ListenerStats;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.FakeDns;
import io.ballast.dashboard.testing.FakeListener;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LiveStatsTest {

    private final ControlPlane control = ControlPlane.start(Clock.systemUTC());
    private Topology topology = DashboardFixture.topology(Map.of("web", 2));
    private final FakeListener listener = new FakeListener();
    private List<ListenerStats> listeners = List.of(listener);
    private Optional<DnsStatistics> dns = Optional.empty();
    private final LiveStats live = new LiveStats(DashboardSources.of(() -> topology, control, "1")
            .withListeners(() -> listeners)
            .withDns(() -> dns));
    private long second;

    @AfterEach
    void stop() {
        control.close();
    }

    @Test
    void totalsBecomeRatesAndShares() {
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
    void overallTotalsIncludeRequestsWithoutABackend() {
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
    void aPoolWithoutUsableBackendsCountsItsErrors() {
        tick();
        Counters.Shard<PoolCounter> counters = topology.pool("web").counters().shard(0);
        counters.add(PoolCounter.REQUESTS, 10);
        counters.add(PoolCounter.ERRORS, 10);
        tick();

        assertThat(live.pools().get(0).requests().rps()).isEqualTo(10);
        assertThat(live.pools().get(0).requests().recent().errorShare()).isEqualTo(1);
    }

    @Test
    void connectFailuresAreErrorsOfTheBackend() {
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
    void inFlightOfAPoolIsTheSumOfItsBackends() {
        backend(0).inFlight().begin();
        backend(1).inFlight().begin();
        tick();
        backend(1).inFlight().begin();

        PoolSeries pool = live.pools().get(0);
        assertThat(pool.attempts().total().inFlight()).isEqualTo(2);
        assertThat(pool.backends().stream()
                        .mapToDouble(series -> series.row()[BackendRow.COLUMNS.indexOf("in_flight")])
                        .sum())
                .isEqualTo(2);
    }

    @Test
    void anIdleBackendIsReadAgainWhenItHasRequests() {
        for (int i = 0; i < 5; i++) {
            tick();
        }
        requests(0, 2);
        long before = live.version();
        tick();

        List<BackendSeries> backends = live.pools().get(0).backends();
        assertThat(backends.get(0).total().requests()).isEqualTo(2);
        assertThat(backends.get(0).columnsChangedSince(before)).isNotZero();
        assertThat(backends.get(1).columnsChangedSince(before)).isZero();
    }

    @Test
    void aResponseThatEndsAfterTheSampleIsCounted() {
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
    void survivingPoolsKeepTheirSeries() {
        tick();
        requests(0, 30);
        tick();
        PoolSeries web = live.pools().get(0);
        BackendSeries first = web.backends().get(0);
        Pool other = DashboardFixture.topology(Map.of("other", 1)).pool("other");
        topology = DashboardFixture.after(topology, List.of(other, topology.pool("web")));

        assertThat(tick()).isTrue();

        assertThat(live.pools()).extracting(pool -> pool.pool().name()).containsExactly("other", "web");
        assertThat(live.pools().get(1)).isSameAs(web);
        assertThat(web.backends().get(0)).isSameAs(first);
        assertThat(values(first.sparkline())).containsExactly(0.0, 30.0, 0.0);
        assertThat(tick()).isFalse();
    }

    @Test
    void overallRatesContinueAcrossAReload() {
        tick();
        listener.traffic(40, 0);
        requests(0, 40);
        tick();
        listener.traffic(20, 0);
        topology = DashboardFixture.after(topology, List.of());
        tick();

        assertThat(live.overall().rps()).isEqualTo(20);
        assertThat(live.overall().recent().requests()).isEqualTo(60);
        assertThat(live.overall().recent().latency().count()).isEqualTo(40);
        assertThat(values(live.history().rps())).containsExactly(0.0, 40.0, 20.0);
    }

    @Test
    void removingABackendCausesNoDropInTheRates() {
        tick();
        requests(0, 30);
        requests(1, 10);
        tick();
        Backend removed = backend(0);
        Pool web = topology.pool("web");
        topology = DashboardFixture.after(
                topology, List.of(DashboardFixture.with(web, web.members().subList(1, 2))));
        removed.stats().counters(0).add(BackendCounter.REQUESTS, 2);
        removed.stats().latency(0).record(TimeUnit.MILLISECONDS.toNanos(4));
        tick();

        PoolSeries pool = live.pools().get(0);
        assertThat(pool.backends()).hasSize(1);
        assertThat(pool.attempts().total().requests()).isEqualTo(10);
        assertThat(pool.attempts().rps()).isEqualTo(2);
        assertThat(pool.attempts().recent().requests()).isEqualTo(42);
        assertThat(pool.removedBackendLatency().count()).isEqualTo(31);
        assertThat(live.overall().total().latency().count()).isEqualTo(41);
    }

    @Test
    void aBackendWithAnotherWeightKeepsItsSeries() {
        tick();
        requests(0, 30);
        tick();
        Pool web = topology.pool("web");
        BackendSeries series = live.pools().get(0).backends().get(0);
        topology = DashboardFixture.after(
                topology, List.of(DashboardFixture.with(web, List.of(new Member(backend(0), 7, 0)))));

        assertThat(tick()).isTrue();

        assertThat(live.pools().get(0).backends()).containsExactly(series);
        assertThat(series.member().weight()).isEqualTo(7);
        assertThat(series.recent().requests()).isEqualTo(30);
    }

    @Test
    void aReaddedPoolStartsAtZeroAndOverallTotalsContinue() {
        tick();
        requests(0, 30);
        tick();
        topology = DashboardFixture.after(topology, List.of());
        tick();
        topology = DashboardFixture.after(
                topology, List.of(DashboardFixture.topology(Map.of("web", 2)).pool("web")));
        tick();

        PoolSeries pool = live.pools().get(0);
        assertThat(pool.attempts().total().requests()).isZero();
        assertThat(pool.removedBackendLatency().count()).isZero();
        assertThat(values(pool.backends().get(0).sparkline())).containsExactly(0.0);
        assertThat(live.overall().total().latency().count()).isEqualTo(30);
    }

    @Test
    void aRemovedListenerCountsUntilItsLastRequestCompletes() {
        FakeListener side = new FakeListener("side");
        listeners = List.of(listener, side);
        assertThat(tick()).isTrue();
        side.open(1);
        side.traffic(10, 3);
        listeners = List.of(listener);
        assertThat(tick()).isTrue();
        side.traffic(5, 1);
        tick();

        assertThat(live.frontends().listeners()).hasSize(1);
        assertThat(live.overall().total().requests()).isEqualTo(85);
        assertThat(live.overall().total().errors()).isEqualTo(55);
        assertThat(live.frontends().responses(2)).isEqualTo(40);

        side.open(0);
        for (int i = 0; i < 5; i++) {
            tick();
        }
        side.traffic(100, 100);
        tick();

        assertThat(live.overall().total().requests())
                .as("reads of the removed listener")
                .isEqualTo(85);
        assertThat(live.frontends().responses(2)).isEqualTo(40);
    }

    @Test
    void aRestartedListenerOfTheSameNameIsANewOne() {
        tick();
        FakeListener moved = new FakeListener("front");
        listeners = List.of(moved);
        tick();
        moved.traffic(5, 0);
        tick();

        assertThat(live.frontends().listeners().get(0).read().requests()).isEqualTo(5);
        assertThat(live.frontends().listeners().get(0).rps()).isEqualTo(5);
        assertThat(live.overall().total().requests()).isEqualTo(75);
    }

    @Test
    void aRewrappedListenerContinues() {
        tick();
        ListenerRate before = live.frontends().listeners().get(0);
        listeners = List.of(new FakeListener());

        assertThat(tick()).isFalse();

        assertThat(live.frontends().listeners()).containsExactly(before);
        assertThat(live.overall().total().requests()).isEqualTo(70);
    }

    @Test
    void theDnsHistoryIsRemovedAndRestartedWithTheFrontend() {
        dns = Optional.of(new FakeDns());
        assertThat(tick()).isTrue();
        tick();
        assertThat(values(live.frontends().dns().orElseThrow().history())).hasSize(2);
        dns = Optional.empty();
        assertThat(tick()).isTrue();
        assertThat(live.frontends().dns()).isEmpty();
        dns = Optional.of(new FakeDns());
        assertThat(tick()).isTrue();

        assertThat(values(live.frontends().dns().orElseThrow().history())).hasSize(1);
    }

    private static List<Double> values(FloatRing ring) {
        List<Double> values = new ArrayList<>();
        ring.forEach(values::add);
        return values;
    }

    private static double last(FloatRing ring) {
        double[] value = {Double.NaN};
        ring.forEach(each -> value[0] = each);
        return value[0];
    }

    /** Takes a sample and returns whether anything was added or removed. */
    private boolean tick() {
        int before = live.layoutVersion();
        live.sample(TimeUnit.SECONDS.toNanos(++second));
        return live.layoutVersion() != before;
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
