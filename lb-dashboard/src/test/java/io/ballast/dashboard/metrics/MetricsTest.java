package io.ballast.dashboard.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendStatistics;
import io.ballast.core.control.ReloadReport.Outcome;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolStatistics;
import io.ballast.core.stats.Metric;
import io.ballast.core.stats.Metric.Kind;
import io.ballast.core.stats.Statistic;
import io.ballast.dashboard.config.Histograms;
import io.ballast.dashboard.metrics.Exposition.Sample;
import io.ballast.dashboard.source.Readiness;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.FakeDns;
import io.ballast.dashboard.testing.FakeListener;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MetricsTest {

    private static final Map<String, String> FIRST = Map.of("pool", "web", "backend", "127.0.0.1:9001");

    private DashboardFixture fixture;

    @BeforeEach
    void start() throws IOException {
        fixture = new DashboardFixture(2);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    /** Checks the same rules as `promtool check metrics`. */
    @Test
    void namesAreWellFormed() throws Exception {
        Exposition exposition = scrape();

        assertThat(exposition.types()).allSatisfy((name, type) -> {
            assertThat(name).doesNotContainPattern("_(ns|nanoseconds|ms|milliseconds|minutes|kb|kilobytes)(_|$)");
            assertThat(name.endsWith("_total")).as(name).isEqualTo(type.equals("counter"));
            assertThat(name).doesNotEndWith("_count").doesNotEndWith("_sum").doesNotEndWith("_bucket");
        });
        assertThat(exposition.types())
                .containsEntry("process_cpu_seconds_total", "counter")
                .containsEntry("system_cpus", "gauge");
    }

    @ParameterizedTest
    @MethodSource("metrics")
    void everyDeclaredMetricIsExposedAsDeclared(Metric metric) throws Exception {
        Exposition exposition = scrape();
        String family = metric.exposedName();

        List<Sample> samples = exposition.samples().stream()
                .filter(sample -> sample.name().equals(metric.kind() == Kind.HISTOGRAM ? family + "_count" : family))
                .toList();

        assertThat(exposition.types()).containsEntry(family, metric.kind().label());
        assertThat(exposition.help()).containsEntry(family, metric.description());
        assertThat(samples)
                .isNotEmpty()
                .allSatisfy(sample ->
                        assertThat(sample.labels().keySet()).containsExactlyInAnyOrderElementsOf(metric.labels()));
    }

    @Test
    void everyBallastMetricIsDeclared() throws Exception {
        assertThat(scrape().types().keySet().stream().filter(name -> name.startsWith("ballast_")))
                .containsExactlyInAnyOrderElementsOf(
                        metrics().map(Metric::exposedName).toList());
    }

    private static Stream<Metric> metrics() {
        return Stream.of(
                        Arrays.stream(BallastMeter.values()).map(BallastMeter::metric),
                        PoolStatistics.ALL.stream().map(Statistic::metric),
                        BackendStatistics.ALL.stream().map(Statistic::metric),
                        FakeListener.STATISTICS.stream().map(Statistic::metric),
                        FakeDns.metrics())
                .flatMap(each -> each);
    }

    @Test
    void statisticsAreWrittenWithTheirLabelsInOrder() throws Exception {
        assertThat(scrape().samples().stream()
                        .filter(sample -> sample.name().startsWith("ballast_dns_forwarded"))
                        .map(sample -> sample.labels() + " " + sample.value()))
                .containsExactly("{} 8.0", "{outcome=hit} 5.0", "{outcome=miss} 3.0");
        assertThat(scrape().value("ballast_listener_failures_total", Map.of("listener", "front", "kind", "no_route")))
                .isEqualTo(6);
        assertThat(scrape().value("ballast_dns_validation_seconds_total", Map.of()))
                .isEqualTo(0.0015);
    }

    @Test
    void countersAreReadFromTheCore() throws Exception {
        fixture.traffic(0, 100, 5);
        fixture.down(1, "connection refused");
        fixture.readiness(Readiness.notReady("draining"));

        Exposition exposition = scrape();

        assertThat(exposition.value("ballast_backend_requests_total", FIRST)).isEqualTo(100);
        assertThat(exposition.value(
                        "ballast_backend_state", Map.of("pool", "web", "backend", "127.0.0.1:9002", "state", "down")))
                .isEqualTo(1);
        assertThat(exposition.value("ballast_pool_usable_backends", Map.of("pool", "web")))
                .isEqualTo(1);
        assertThat(exposition.value("ballast_listener_responses_total", Map.of("listener", "front", "class", "4xx")))
                .isEqualTo(40);
        assertThat(exposition.value("ballast_dns_queries_total", Map.of("type", "A")))
                .isEqualTo(9);
        assertThat(exposition.value("ballast_ready", Map.of())).isZero();
        assertThat(exposition.value("ballast_version", Map.of("version", DashboardFixture.VERSION)))
                .isEqualTo(1);
    }

    @Test
    void aRefusedReloadIsReportedUntilOneSucceeds() throws Exception {
        assertThat(scrape().value("ballast_last_reload_ok", Map.of())).isEqualTo(1);

        fixture.reload(Outcome.REFUSED);
        assertThat(scrape().value("ballast_last_reload_ok", Map.of())).isZero();

        fixture.reload(Outcome.UNCHANGED);
        assertThat(scrape().value("ballast_last_reload_ok", Map.of())).isEqualTo(1);
    }

    @Test
    void refusedDiscoveryIsReported() throws Exception {
        assertThat(scrape().value("ballast_discovery_refused", Map.of())).isEqualTo(0);

        fixture.refuseDiscovered();

        assertThat(scrape().value("ballast_discovery_refused", Map.of())).isEqualTo(1);
    }

    @Test
    void stallsAndStarvationsAreCounted() throws Exception {
        fixture.stalls(3);
        fixture.starvations(5);

        assertThat(scrape().value("ballast_thread_stalls_total", Map.of())).isEqualTo(3);
        assertThat(scrape().value("ballast_thread_starvations_total", Map.of())).isEqualTo(5);
    }

    @Test
    void responseTimesAreAHistogramInSeconds() throws Exception {
        fixture.traffic(0, 80, 3);
        fixture.traffic(0, 20, 700);

        Exposition exposition = scrape();
        List<Sample> buckets = exposition.samples().stream()
                .filter(sample -> sample.name().equals("ballast_backend_response_time_seconds_bucket"))
                .filter(sample -> sample.labels().get("backend").equals("127.0.0.1:9001"))
                .toList();

        assertThat(buckets).hasSize(HistogramBuckets.BOUNDS.size());
        assertThat(buckets).extracting(Sample::value).isSorted();
        assertThat(upTo(buckets, "0.0025")).isZero();
        assertThat(upTo(buckets, "0.005")).isEqualTo(80);
        assertThat(upTo(buckets, "0.5")).isEqualTo(80);
        assertThat(upTo(buckets, "1.0")).isEqualTo(100);
        assertThat(upTo(buckets, "+Inf")).isEqualTo(100);
        assertThat(exposition.value("ballast_backend_response_time_seconds_count", FIRST))
                .isEqualTo(100);
        assertThat(exposition.value("ballast_backend_response_time_seconds_sum", FIRST))
                .isCloseTo(14.24, org.assertj.core.data.Offset.offset(1e-9));
    }

    @Test
    void cacheHitsAndMissesHaveSeparateHistograms() throws Exception {
        Exposition exposition = scrape();
        List<Sample> cache = exposition.samples().stream()
                .filter(sample -> sample.name().equals("ballast_dns_answer_time_seconds_bucket"))
                .filter(sample -> sample.labels().get("by").equals("cache"))
                .toList();

        assertThat(upTo(cache, "0.00001")).isZero();
        assertThat(upTo(cache, "0.000025")).isEqualTo(1);
        assertThat(upTo(cache, "+Inf")).isEqualTo(1);
        assertThat(exposition.value("ballast_dns_answer_time_seconds_count", Map.of("by", "resolver")))
                .isZero();
    }

    @Test
    void responseTimesOfAPoolAreTheSumOfItsBackends() throws Exception {
        fixture.traffic(0, 80, 3);
        fixture.traffic(1, 20, 700);

        Exposition exposition = scrape();

        assertThat(exposition.value("ballast_pool_response_time_seconds_count", Map.of("pool", "web")))
                .isEqualTo(100);
        assertThat(exposition.value("ballast_pool_response_time_seconds_bucket", Map.of("pool", "web", "le", "0.5")))
                .isEqualTo(80);
    }

    @Test
    void histogramsPerBackendCanBeDisabled() throws Exception {
        fixture.close();
        fixture = new DashboardFixture(2, Histograms.PER_POOL);

        assertThat(scrape().types())
                .containsKey("ballast_pool_response_time_seconds")
                .doesNotContainKey("ballast_backend_response_time_seconds");
    }

    @Test
    void aPoolsHistogramDoesNotDecreaseWhenABackendIsRemoved() throws Exception {
        fixture.traffic(0, 80, 3);
        fixture.traffic(1, 20, 700);
        scrape();
        Pool web = fixture.topology().pool("web");
        fixture.topology(DashboardFixture.after(
                fixture.topology(),
                List.of(DashboardFixture.with(web, web.members().subList(1, 2)))));

        Exposition exposition = scrape();

        Map<String, String> pool = Map.of("pool", "web");
        assertThat(exposition.value("ballast_pool_backends", pool)).isEqualTo(1);
        assertThat(exposition.value("ballast_pool_response_time_seconds_count", pool))
                .isEqualTo(100);
        assertThat(exposition.value("ballast_pool_response_time_seconds_sum", pool))
                .isCloseTo(14.24, org.assertj.core.data.Offset.offset(1e-9));
        assertThat(exposition.value("ballast_pool_response_time_seconds_bucket", Map.of("pool", "web", "le", "0.5")))
                .isEqualTo(80);
        assertThat(exposition.samples())
                .noneMatch(sample -> "127.0.0.1:9001".equals(sample.labels().get("backend")));
    }

    @Test
    void removedObjectsHaveNoSeries() throws Exception {
        scrape();
        fixture.listeners(List.of(new FakeListener("side")));
        fixture.dns(Optional.empty());
        fixture.topology(DashboardFixture.after(
                fixture.topology(),
                List.of(DashboardFixture.topology(Map.of("other", 1)).pool("other"))));

        Exposition exposition = scrape();

        assertThat(exposition.value("ballast_listener_requests_total", Map.of("listener", "side")))
                .isZero();
        assertThat(exposition.value("ballast_pool_backends", Map.of("pool", "other")))
                .isEqualTo(1);
        assertThat(exposition.samples())
                .noneMatch(sample -> sample.name().startsWith("ballast_dns_"))
                .noneMatch(sample -> "front".equals(sample.labels().get("listener")))
                .noneMatch(sample -> "web".equals(sample.labels().get("pool")));
        fixture.dns(Optional.of(new FakeDns()));
        assertThat(scrape().value("ballast_dns_queries_total", Map.of("type", "A")))
                .isEqualTo(9);
        assertThat(scrape().value("ballast_dns_zone_queries_total", Map.of("zone", "a.example", "outcome", "noerror")))
                .isEqualTo(8);
        assertThat(scrape().value("ballast_dns_service_queries_total", Map.of("service", "app.example.")))
                .isEqualTo(7);
    }

    @Test
    void countersSurviveGarbageCollection() throws Exception {
        scrape();
        System.gc();
        fixture.traffic(0, 7, 1);

        assertThat(scrape().value("ballast_backend_requests_total", FIRST)).isEqualTo(7);
        assertThat(scrape().value("ballast_listener_requests_total", Map.of("listener", "front")))
                .isEqualTo(70);
    }

    @Test
    void jvmAndProcessMetersAreExposed() throws Exception {
        assertThat(scrape().types())
                .containsKeys(
                        "jvm_memory_used_bytes",
                        "jvm_threads_live_threads",
                        "process_uptime_seconds",
                        "jvm_gc_max_data_size_bytes");
    }

    @Test
    void openMetricsIsServedOnRequest() throws Exception {
        HttpResponse<String> response = fixture.get(
                "/metrics", "Accept", "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.3,*/*;q=0.1");

        assertThat(response.headers().firstValue("content-type").orElseThrow())
                .startsWith("application/openmetrics-text");
        assertThat(response.body()).endsWith("# EOF\n").contains("# TYPE ballast_backend_sent_bytes counter\n");
    }

    private Exposition scrape() throws IOException, InterruptedException {
        HttpResponse<String> response = fixture.get("/metrics");
        assertThat(response.headers().firstValue("content-type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
        return Exposition.of(response.body());
    }

    private static double upTo(List<Sample> buckets, String bound) {
        return buckets.stream()
                .filter(bucket -> bucket.labels().get("le").equals(bound))
                .findFirst()
                .orElseThrow()
                .value();
    }
}
