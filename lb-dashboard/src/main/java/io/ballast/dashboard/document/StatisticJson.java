package io.ballast.dashboard.document;

import io.ballast.core.stats.BoundStatistic;
import io.ballast.core.stats.LatencySummary;
import io.ballast.core.stats.SampleConsumer;
import io.ballast.core.stats.Statistic;
import io.ballast.dashboard.json.JsonWriter;
import java.util.List;

/** Writes the current values of statistics as JSON fields. */
final class StatisticJson {

    private StatisticJson() {}

    /** Writes the statistics that the API exports as fields of the open JSON object, in order. */
    static void fields(JsonWriter json, List<BoundStatistic<?>> statistics) {
        statistics.forEach(each -> field(json, each));
    }

    /**
     * Writes the statistics of {@code source} into the open object, in the order of the list. Skips statistics
     * that are exported only as a metric.
     */
    static <S> void fields(JsonWriter json, List<Statistic<S>> statistics, S source) {
        statistics.forEach(each -> field(json, each.bind(source)));
    }

    private static void field(JsonWriter json, BoundStatistic<?> bound) {
        Statistic<?> statistic = bound.statistic();
        FieldWriter values = new FieldWriter(json, statistic.field());
        switch (statistic.form()) {
            case NUMBER -> bound.read(values);
            case OBJECT -> json.object(statistic.field(), () -> bound.read(values));
            case METRIC_ONLY -> {}
        }
    }

    /**
     * Writes a value without a label as the field {@link #field}, and a value with a label as a field whose name
     * is the label.
     */
    private record FieldWriter(JsonWriter json, String field) implements SampleConsumer {

        @Override
        public void value(long value) {
            json.field(field, value);
        }

        @Override
        public void value(String label, long value) {
            json.field(label, value);
        }

        @Override
        public void value(String first, String second, long value) {
            throw hasNoField("two labels");
        }

        @Override
        public void nanos(long nanos) {
            throw hasNoField("a duration");
        }

        @Override
        public void histogram(String label, LatencySummary times) {
            throw hasNoField("a histogram");
        }

        private IllegalStateException hasNoField(String kind) {
            return new IllegalStateException("field: " + field + " with " + kind + " (expected: METRIC_ONLY)");
        }
    }
}
