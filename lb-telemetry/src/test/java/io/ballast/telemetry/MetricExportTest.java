package io.ballast.telemetry;

import static io.ballast.telemetry.testing.RecordingCollector.attributes;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.http.testing.ClosedPort;
import io.ballast.telemetry.config.OtlpConfig;
import io.ballast.telemetry.metric.MetricSource;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which metrics a collector receives. */
class MetricExportTest {

    private static final String TEXT = """
        # TYPE ballast_requests_total counter
        # HELP ballast_requests_total Requests of "clients"
        ballast_requests_total{pool="we\\"b\\\\\\n",backend="é"} 12
        ballast_requests_total{pool="api",backend="b"} 1.5E9
        # TYPE ballast_ready gauge
        # HELP ballast_ready 1 while ready
        ballast_ready 1
        # TYPE ballast_time_seconds histogram
        # HELP ballast_time_seconds Durations
        ballast_time_seconds_bucket{pool="web",le="0.001"} 3
        ballast_time_seconds_bucket{pool="web",le="1.0"} 10
        ballast_time_seconds_bucket{pool="web",le="+Inf"} 11
        ballast_time_seconds_sum{pool="web"} 4.500000000
        ballast_time_seconds_count{pool="web"} 11
        # HELP jvm_gc_pause_seconds Pauses
        # TYPE jvm_gc_pause_seconds summary
        jvm_gc_pause_seconds_count{gc="G1"} 7
        jvm_gc_pause_seconds_sum{gc="G1"} 0.25
        # TYPE ballast_empty_total counter
        # TYPE jvm_nan gauge
        jvm_nan NaN
        """;

    private TelemetrySetup setup;

    @BeforeEach
    void startCollector() throws Exception {
        setup = new TelemetrySetup();
    }

    @AfterEach
    void close() {
        setup.close();
    }

    private static OtlpConfig config(URI endpoint) {
        return new OtlpConfig(
                endpoint,
                Map.of(),
                /* traces= */ false,
                /* metrics= */ true,
                OtlpConfig.MAX_INTERVAL,
                Duration.ofSeconds(1),
                OtlpConfig.MIN_QUEUE_BYTES,
                OtlpConfig.DEFAULT_SERVICE_NAME,
                Map.of(),
                Optional.empty());
    }

    /** Exports the metrics of a text once. */
    private void export(MetricSource source) throws Exception {
        setup.telemetry.setSource(source);
        setup.send(config(setup.collector.endpoint()));
        setup.telemetry.finishMetrics();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100_000})
    void metricsKeepNamesLabelsAndTypes(int partBytes) throws Exception {
        export(new TextSource(TEXT, partBytes));

        Metric counter = setup.collector.nextMetric("ballast_requests_total");
        assertThat(counter.getDescription()).isEqualTo("Requests of \"clients\"");
        assertThat(counter.getSum().getIsMonotonic()).isTrue();
        assertThat(counter.getSum().getAggregationTemporality())
                .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
        List<NumberDataPoint> points = counter.getSum().getDataPointsList();
        assertThat(attributes(points.get(0).getAttributesList()))
                .isEqualTo(Map.of("pool", "we\"b\\\n", "backend", "é"));
        assertThat(points.get(0).getAsDouble()).isEqualTo(12);
        assertThat(points.get(1).getAsDouble()).isEqualTo(1.5e9);
        assertThat(points.get(0).getStartTimeUnixNano())
                .isPositive()
                .isLessThan(points.get(0).getTimeUnixNano());

        Metric gauge = setup.collector.nextMetric("ballast_ready");
        assertThat(gauge.getGauge().getDataPoints(0).getAsDouble()).isEqualTo(1);
        assertThat(gauge.getGauge().getDataPoints(0).getAttributesList()).isEmpty();

        Metric histogram = setup.collector.nextMetric("ballast_time_seconds");
        HistogramDataPoint point = histogram.getHistogram().getDataPoints(0);
        assertThat(point.getExplicitBoundsList()).containsExactly(0.001, 1.0);
        assertThat(point.getBucketCountsList()).containsExactly(3L, 7L, 1L);
        assertThat(point.getSum()).isEqualTo(4.5);
        assertThat(point.getCount()).isEqualTo(11);
        assertThat(attributes(point.getAttributesList())).isEqualTo(Map.of("pool", "web"));

        Metric summary = setup.collector.nextMetric("jvm_gc_pause_seconds");
        assertThat(summary.getSummary().getDataPoints(0).getCount()).isEqualTo(7);
        assertThat(summary.getSummary().getDataPoints(0).getSum()).isEqualTo(0.25);
        assertThat(setup.collector
                        .nextMetric("jvm_nan")
                        .getGauge()
                        .getDataPoints(0)
                        .getAsDouble())
                .isNaN();
        assertThat(setup.telemetry.counters().sentPoints()).isEqualTo(6);
    }

    @Test
    void largeFamiliesAreSentInSeveralRequests() throws Exception {
        String samples = IntStream.range(0, 2500)
                .mapToObj(i -> "big_total{i=\"" + i + "\"} " + i + "\n")
                .collect(Collectors.joining());
        export(new TextSource("# TYPE big_total counter\n" + samples, 1000));

        assertThat(setup.collector.requests()).hasSize(3);
        assertThat(setup.telemetry.counters().sentPoints()).isEqualTo(2500);
        assertThat(setup.collector.nextMetric("big_total").getSum().getDataPointsCount())
                .isEqualTo(1000);
    }

    @Test
    void lostValuesAreCountedAndNotSentAgain() throws Exception {
        HostPort closed = ClosedPort.find();
        setup.telemetry.setSource(new TextSource(TEXT, 1000));
        setup.send(config(URI.create("http://127.0.0.1:" + closed.port())));
        setup.telemetry.finishMetrics();

        assertThat(setup.telemetry.counters().lostPoints()).isEqualTo(6);
        assertThat(setup.telemetry.counters().sentPoints()).isZero();
    }

    @Test
    void metricsAreSentAtTheInterval() throws Exception {
        setup.telemetry.setSource(new TextSource(TEXT, 1000));
        OtlpConfig config = config(setup.collector.endpoint());
        setup.send(new OtlpConfig(
                config.endpoint(),
                config.headers(),
                config.traces(),
                config.metrics(),
                OtlpConfig.MIN_INTERVAL,
                config.timeout(),
                config.queueBytes(),
                config.serviceName(),
                config.resource(),
                config.trustedCa()));

        setup.collector.nextMetric("ballast_ready");
        setup.collector.nextMetric("ballast_ready");
    }

    @Test
    void malformedTextStopsOneExportOnly() throws Exception {
        export(new TextSource("# TYPE a_total counter\na_total{b=\"c 1\n", 1000));

        assertThat(setup.collector.requests()).isEmpty();
    }

    @Test
    void withoutSourceNothingIsSent() throws Exception {
        export(MetricSource.NONE);

        assertThat(setup.collector.requests()).isEmpty();
    }
}
