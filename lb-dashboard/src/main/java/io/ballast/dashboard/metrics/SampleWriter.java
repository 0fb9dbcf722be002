package io.ballast.dashboard.metrics;

import io.ballast.core.stats.LatencySummary;
import io.ballast.core.stats.Metric;
import io.ballast.core.stats.SampleConsumer;
import java.util.List;

/**
 * Writes the values of a statistic as samples of its metric.
 *
 * @param labels the labels of the statistic's source
 */
record SampleWriter(ExpositionText text, Metric metric, LabelSet labels) implements SampleConsumer {

    @Override
    public void value(long value) {
        text.setLabels(labels).sample(value);
    }

    @Override
    public void value(String label, long value) {
        List<String> names = metric.labels();
        text.setLabels(labels).sample(names.get(names.size() - 1), label, value);
    }

    @Override
    public void value(String first, String second, long value) {
        List<String> names = lastLabels(2);
        text.setLabels(labels.and(LabelSet.of(names, first))).sample(names.get(1), second, value);
    }

    @Override
    public void nanos(long nanos) {
        text.setLabels(labels).sampleNanos(nanos);
    }

    @Override
    public void histogram(String label, LatencySummary times) {
        HistogramBuckets buckets = new HistogramBuckets(HistogramBuckets.SHORT_BOUNDS);
        buckets.add(times);
        text.setLabels(labels.and(LabelSet.of(lastLabels(1), label))).histogram(buckets.computeCumulativeCounts());
    }

    private List<String> lastLabels(int count) {
        List<String> all = metric.labels();
        return all.subList(all.size() - count, all.size());
    }
}
