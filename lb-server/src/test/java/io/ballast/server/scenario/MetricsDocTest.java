package io.ballast.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.load.GeneratedFile;
import io.ballast.core.backend.BackendStatistics;
import io.ballast.core.pool.PoolStatistics;
import io.ballast.core.stats.Metric;
import io.ballast.core.stats.Statistic;
import io.ballast.dashboard.metrics.BallastMeter;
import io.ballast.dns.report.ForwardingStatistics;
import io.ballast.dns.report.QueryStatistics;
import io.ballast.http.exchange.ListenerStatistics;
import io.ballast.http.policy.PolicyStatistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that docs/metrics.md has every metric and every field; {@code -Dballast.update=true} rewrites its tables. */
class MetricsDocTest {

    private static final Path DOCUMENT = Path.of("../docs/metrics.md");
    private static final String METRICS_HEAD = "| Name | Type | Labels | Meaning |\n|---|---|---|---|\n";
    private static final String FIELDS_HEAD = "| Field | Metric |\n|---|---|\n";

    @Test
    void tablesAreCurrent() throws IOException {
        String text = Files.readString(DOCUMENT);
        text = withTable(text, METRICS_HEAD, metrics().map(MetricsDocTest::metricRow));
        text = withTable(
                text,
                FIELDS_HEAD,
                Stream.of(
                                fieldRows("backends[].", BackendStatistics.ALL),
                                fieldRows("pools[].", PoolStatistics.ALL),
                                fieldRows("listeners[].", ListenerStatistics.ALL),
                                fieldRows("policies[].", PolicyStatistics.ALL),
                                fieldRows("dns.", QueryStatistics.ALL),
                                fieldRows("dns.", ForwardingStatistics.ALL))
                        .flatMap(rows -> rows));

        GeneratedFile.of(DOCUMENT).assertIs(text);
    }

    /** Returns all metrics, grouped by the kind of object that they describe. */
    private static Stream<Metric> metrics() {
        Stream<Metric> dashboard = Stream.of(BallastMeter.values())
                .flatMap(meter -> Stream.concat(metricsBefore(meter), Stream.of(meter.metric())));
        return Stream.of(
                        dashboard,
                        metricsOf(PolicyStatistics.ALL),
                        metricsOf(QueryStatistics.ALL),
                        metricsOf(ForwardingStatistics.ALL))
                .flatMap(each -> each);
    }

    private static Stream<Metric> metricsBefore(BallastMeter meter) {
        return switch (meter) {
            case POOL_RESPONSE_TIME -> metricsOf(PoolStatistics.ALL);
            case BACKEND_WEIGHT -> metricsOf(BackendStatistics.ALL);
            case CERTIFICATE_EXPIRY -> metricsOf(ListenerStatistics.ALL);
            default -> Stream.empty();
        };
    }

    private static <S> Stream<Metric> metricsOf(List<Statistic<S>> statistics) {
        return statistics.stream().map(Statistic::metric);
    }

    private static String metricRow(Metric metric) {
        String labels = metric.labels().stream().map(label -> "`" + label + "`").collect(Collectors.joining(", "));
        return "| `" + metric.exposedName() + "` | " + metric.kind().label() + " | " + labels + " | "
                + metric.description() + " |\n";
    }

    private static <S> Stream<String> fieldRows(String object, List<Statistic<S>> statistics) {
        return statistics.stream()
                .filter(statistic -> !statistic.field().isEmpty())
                .map(statistic -> "| `" + object + statistic.field() + "` | `"
                        + statistic.metric().exposedName() + "` |\n");
    }

    /** Replaces the rows of the table whose header line is {@code head}. */
    private static String withTable(String text, String head, Stream<String> rows) {
        int start = text.indexOf(head);
        assertThat(start).as(head).isPositive();
        int firstRow = start + head.length();
        int end = text.indexOf("\n\n", firstRow - 1) + 1;
        return text.substring(0, firstRow) + rows.collect(Collectors.joining()) + text.substring(end);
    }
}
