package io.ballast.dashboard.metrics;

import io.ballast.core.backend.Backend;
import io.ballast.core.pool.Topology;
import io.ballast.core.stats.LatencySummary;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.function.Supplier;

/**
 * The backends' response times as histograms. Micrometer has no histogram that reads foreign buckets, so this one is
 * collected beside its meters.
 *
 * <p>The core's buckets are at most 1/16 of their value wide; a duration less than that above a bound may be counted
 * into the next bucket.
 */
final class ResponseTimeCollector implements Collector {

    /** Upper bounds in seconds; the last bucket is for everything above. */
    static final double[] BOUNDS = {
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, Double.POSITIVE_INFINITY
    };

    private static final BallastMeter METER = BallastMeter.BACKEND_RESPONSE_TIME;
    private static final double MICROS_PER_SECOND = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Supplier<Topology> topology;

    ResponseTimeCollector(Supplier<Topology> topology) {
        this.topology = topology;
    }

    @Override
    public MetricFamilyDescriptor getMetricFamilyDescriptor() {
        return MetricFamilyDescriptor.histogram(METER.familyName())
                .help(METER.meaning())
                .unit(Unit.SECONDS)
                .labelNames(METER.labels())
                .build();
    }

    @Override
    public MetricSnapshot collect() {
        HistogramSnapshot.Builder family = HistogramSnapshot.builder()
                .name(METER.familyName())
                .help(METER.meaning())
                .unit(Unit.SECONDS);
        topology.get()
                .poolList()
                .forEach(pool -> pool.members().forEach(member -> family.dataPoint(point(member.backend()))));
        return family.build();
    }

    private static HistogramDataPointSnapshot point(Backend backend) {
        LatencySummary latency = backend.stats().latency();
        return HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS, counts(latency)))
                .sum(latency.sumNanos() / NANOS_PER_SECOND)
                .labels(Labels.of(
                        "pool", backend.pool(), "backend", backend.address().toString()))
                .build();
    }

    /** How many durations lie in each bucket alone. */
    private static long[] counts(LatencySummary latency) {
        long[] counts = new long[BOUNDS.length];
        long below = 0;
        for (int i = 0; i < BOUNDS.length; i++) {
            long upTo = Double.isInfinite(BOUNDS[i])
                    ? latency.count()
                    : latency.countBelowMicros(Math.round(BOUNDS[i] * MICROS_PER_SECOND));
            counts[i] = upTo - below;
            below = upTo;
        }
        return counts;
    }
}
