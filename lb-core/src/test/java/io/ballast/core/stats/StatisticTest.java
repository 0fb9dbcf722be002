package io.ballast.core.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ballast.core.stats.Statistic.Form;
import io.ballast.core.testing.StatisticValues;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class StatisticTest {

    private static final Metric METRIC = Metric.counter("ballast.test.errors", "Errors, by kind", "kind");

    private final Counters<Kind> counters = new Counters<>(Kind.class, /* shards= */ 1);

    private enum Kind implements LabelledCounter {
        TIMEOUT,
        RESET;

        @Override
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Test
    void everyReadReportsTheCurrentCounters() {
        BoundStatistic<Counters<Kind>> errors = Statistic.<Counters<Kind>, Kind>ofCounters(
                        METRIC, "errors", List.of(Kind.RESET, Kind.TIMEOUT), Counters::sum)
                .bind(counters);
        assertThat(StatisticValues.of(errors)).containsEntry("reset", 0L);

        counters.shard(0).increment(Kind.RESET);

        assertThat(StatisticValues.of(errors).toString()).isEqualTo("{reset=1, timeout=0}");
    }

    @Test
    void formSaysWhetherTheApiHasANumberOrAnObject() {
        assertThat(Statistic.<Counters<Kind>>ofValue(METRIC, "resets", all -> all.sum(Kind.RESET))
                        .form())
                .isEqualTo(Form.NUMBER);
        assertThat(Statistic.ofLabels(METRIC, "errors", (source, samples) -> {}).form())
                .isEqualTo(Form.OBJECT);
        assertThat(Statistic.ofValue(METRIC, source -> 1).form()).isEqualTo(Form.METRIC_ONLY);
    }

    @Test
    void fieldNeedsAName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Statistic.ofLabels(METRIC, "", (source, samples) -> {}))
                .withMessage("field: '' (expected: a name)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Statistic<>(METRIC, "errors", Form.METRIC_ONLY, (source, samples) -> {}))
                .withMessage("field: 'errors' (expected: empty)");
    }

    @Test
    void namesEndWithTheUnitAndCountersWithTotal() {
        assertThat(METRIC.exposedName()).isEqualTo("ballast_test_errors_total");
        assertThat(METRIC.in("bytes").familyName()).isEqualTo("ballast_test_errors_bytes");
        assertThat(METRIC.in("bytes").exposedName()).isEqualTo("ballast_test_errors_bytes_total");
        assertThat(Metric.gauge("ballast.test.size", "Size").in("bytes").exposedName())
                .isEqualTo("ballast_test_size_bytes");
        assertThat(Metric.histogram("ballast.test.time", "Time").exposedName()).isEqualTo("ballast_test_time_seconds");
    }
}
