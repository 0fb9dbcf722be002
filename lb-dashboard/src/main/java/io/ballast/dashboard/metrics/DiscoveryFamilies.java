package io.ballast.dashboard.metrics;

import io.ballast.dashboard.source.DiscoveryStats;
import java.time.Instant;
import java.util.List;
import java.util.function.ToLongFunction;

/** Builds the metric families of the service discovery sources for one metrics document. */
final class DiscoveryFamilies {

    private DiscoveryFamilies() {}

    static List<MetricFamily<?>> of(DiscoveryStats stats) {
        List<DiscoveryStats.Source> sources = stats.sources();
        return List.of(
                family(BallastMeter.DISCOVERY_BACKENDS, sources, DiscoveryStats.Source::backends),
                family(
                        BallastMeter.DISCOVERY_LAST_SUCCESS,
                        sources,
                        each -> each.lastSuccess().map(Instant::getEpochSecond).orElse(0L)),
                family(BallastMeter.DISCOVERY_FAILURES, sources, DiscoveryStats.Source::failures),
                new MetricFamily<>(
                        BallastMeter.DISCOVERY_REFUSED,
                        List.of(stats),
                        (text, each) -> text.setLabels(LabelSet.NONE).sample(each.isRefused() ? 1 : 0)));
    }

    private static MetricFamily<DiscoveryStats.Source> family(
            BallastMeter meter, List<DiscoveryStats.Source> sources, ToLongFunction<DiscoveryStats.Source> value) {
        return new MetricFamily<>(
                meter,
                sources,
                (text, each) -> text.setLabels(LabelSet.of(meter.labels(), each.pool(), each.source()))
                        .sample(value.applyAsLong(each)));
    }
}
