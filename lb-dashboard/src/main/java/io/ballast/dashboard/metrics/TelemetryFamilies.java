package io.ballast.dashboard.metrics;

import io.ballast.dashboard.source.TelemetryStats;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Builds the metric families of the OTLP export, for one metrics document. */
final class TelemetryFamilies {

    private TelemetryFamilies() {}

    static List<MetricFamily<?>> of(Optional<TelemetryStats> stats) {
        List<TelemetryStats> subjects = stats.stream().toList();
        return List.of(
                family(BallastMeter.OTLP_SPANS, subjects, TelemetryStats::sentSpans),
                family(BallastMeter.OTLP_LOST_SPANS, subjects, TelemetryStats::lostSpans),
                family(BallastMeter.OTLP_DROPPED_TRACES, subjects, TelemetryStats::droppedTraces),
                family(BallastMeter.OTLP_POINTS, subjects, TelemetryStats::sentPoints),
                family(BallastMeter.OTLP_LOST_POINTS, subjects, TelemetryStats::lostPoints));
    }

    private static MetricFamily<TelemetryStats> family(
            BallastMeter meter, List<TelemetryStats> subjects, ToLongFunction<TelemetryStats> value) {
        return new MetricFamily<>(
                meter, subjects, (text, stats) -> text.setLabels(LabelSet.NONE).sample(value.applyAsLong(stats)));
    }
}
