package io.ballast.core.stats;

import io.ballast.core.Checks;
import java.util.List;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;

/**
 * A statistic of an object, such as a listener. The module that has the counters declares each statistic
 * once: its metric, its field in the API, and how its values are read. {@code /metrics}, {@code /stats}, the
 * event stream and docs/metrics.md are written from this declaration.
 *
 * <p>Thread safety: immutable; any thread may read values. Cost: none for the threads that count, because a
 * reader only sums their existing counters.
 *
 * @param metric the metric; its labels are the labels of the source, followed by the labels that the reader passes
 * @param field the name of the field; empty with {@link Form#METRIC_ONLY}
 * @param form the form of the field
 * @param reader reads the current values
 * @param <S> the type of the object that has the values
 */
public record Statistic<S>(Metric metric, String field, Form form, Reader<S> reader) {

    /** The form of a statistic in the API. */
    public enum Form {
        /** A number. */
        NUMBER,
        /** In the API: a JSON object with a number for each value of the last label. */
        OBJECT,
        /** The statistic is exported only as a metric, not in the API. */
        METRIC_ONLY
    }

    /** Reads the current values of a statistic. */
    @FunctionalInterface
    public interface Reader<S> {
        void read(S source, SampleConsumer samples);
    }

    public Statistic {
        Checks.that(
                field.isEmpty() == (form == Form.METRIC_ONLY),
                "field",
                "'" + field + "'",
                form == Form.METRIC_ONLY ? "empty" : "a name");
    }

    /** Creates a statistic with one value. */
    public static <S> Statistic<S> ofValue(Metric metric, String field, ToLongFunction<S> value) {
        return new Statistic<>(
                metric, field, Form.NUMBER, (source, samples) -> samples.value(value.applyAsLong(source)));
    }

    /** Creates a statistic with one value that is exported only as a metric, not in the API. */
    public static <S> Statistic<S> ofValue(Metric metric, ToLongFunction<S> value) {
        return metricOnly(metric, (source, samples) -> samples.value(value.applyAsLong(source)));
    }

    /** Creates a statistic with one value for each of the counters, in this order. */
    public static <S, C extends LabelledCounter> Statistic<S> ofCounters(
            Metric metric, String field, List<C> counters, ToLongBiFunction<S, C> value) {
        return ofLabels(metric, field, counterReader(counters, value));
    }

    /**
     * Creates a statistic with one value for each of the counters. It is exported only as a metric, not in the
     * API.
     */
    public static <S, C extends LabelledCounter> Statistic<S> ofCounters(
            Metric metric, List<C> counters, ToLongBiFunction<S, C> value) {
        return metricOnly(metric, counterReader(counters, value));
    }

    /**
     * Creates a statistic with a varying number of values.
     *
     * @param reader reports each value with its label
     */
    public static <S> Statistic<S> ofLabels(Metric metric, String field, Reader<S> reader) {
        return new Statistic<>(metric, field, Form.OBJECT, reader);
    }

    /** Creates a statistic that is exported only as a metric, not in the API. */
    public static <S> Statistic<S> metricOnly(Metric metric, Reader<S> reader) {
        return new Statistic<>(metric, "", Form.METRIC_ONLY, reader);
    }

    /** Binds this statistic to one object. */
    public BoundStatistic<S> bind(S source) {
        return new BoundStatistic<>(this, source);
    }

    /** Binds these statistics to one object and returns them in the same order. */
    public static <S> List<BoundStatistic<?>> bindAll(List<Statistic<S>> statistics, S source) {
        return statistics.stream()
                .<BoundStatistic<?>>map(statistic -> statistic.bind(source))
                .toList();
    }

    private static <S, C extends LabelledCounter> Reader<S> counterReader(
            List<C> counters, ToLongBiFunction<S, C> value) {
        List<C> all = List.copyOf(counters);
        return (source, samples) -> {
            for (C counter : all) {
                samples.value(counter.label(), value.applyAsLong(source, counter));
            }
        };
    }
}
