package io.ballast.dashboard.metrics;

import io.ballast.core.backend.ExternalOverride;
import io.ballast.core.health.ExternalOverrides;
import io.ballast.core.health.ExternalOverrides.Counts;
import java.util.List;
import java.util.Optional;

/** Builds the metric families of external overrides for one metrics document. */
final class OverrideFamilies {

    private OverrideFamilies() {}

    /** A value of a metric family, with the value of its only label. */
    private record Labelled(String label, long value) {}

    static List<MetricFamily<?>> of(Optional<ExternalOverrides> source) {
        Counts counts = source.map(ExternalOverrides::counts).orElse(Counts.NONE);
        List<ExternalOverride> all = source.map(ExternalOverrides::all).orElse(List.of());
        return List.of(
                family(
                        BallastMeter.OVERRIDES,
                        List.of(
                                new Labelled("up", count(all, ExternalOverride.State.UP)),
                                new Labelled("drain", count(all, ExternalOverride.State.DRAIN)),
                                new Labelled("down", count(all, ExternalOverride.State.DOWN)),
                                new Labelled(
                                        "weight",
                                        all.stream()
                                                .filter(each -> each.weight().isPresent())
                                                .count()))),
                family(
                        BallastMeter.OVERRIDE_CHANGES,
                        List.of(
                                new Labelled("set", counts.set()),
                                new Labelled("removed", counts.removed()),
                                new Labelled("expired", counts.expired()),
                                new Labelled("refused", counts.refused()))));
    }

    private static long count(List<ExternalOverride> all, ExternalOverride.State state) {
        return all.stream()
                .filter(each -> each.state().equals(Optional.of(state)))
                .count();
    }

    private static MetricFamily<Labelled> family(BallastMeter meter, List<Labelled> values) {
        return new MetricFamily<>(
                meter,
                values,
                (text, each) -> text.setLabels(LabelSet.of(meter.labels(), each.label()))
                        .sample(each.value()));
    }
}
