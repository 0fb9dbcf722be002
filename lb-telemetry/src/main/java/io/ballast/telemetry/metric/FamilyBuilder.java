package io.ballast.telemetry.metric;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.GaugeData;
import io.opentelemetry.sdk.metrics.data.HistogramData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.metrics.data.SummaryData;
import io.opentelemetry.sdk.metrics.data.SummaryPointData;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Collects the samples of one metric family, and converts them into points. Confined to one thread. */
final class FamilyBuilder {

    private static final String BUCKET = "_bucket";
    private static final String SUM = "_sum";
    private static final String COUNT = "_count";

    private final String name;
    private final String type;
    private final String description;
    private final long startNanos;
    private final long nowNanos;

    private List<DoublePointData> values = new ArrayList<>();
    private List<HistogramPointData> histograms = new ArrayList<>();
    private List<SummaryPointData> summaries = new ArrayList<>();

    // the values of the current histogram or summary
    private final List<Double> bounds = new ArrayList<>();
    private final List<Long> counts = new ArrayList<>();
    private double sum;
    private long count;
    private boolean hasSum;
    private boolean hasCount;

    /**
     * @param type the type in the text format, such as {@code counter}
     * @param startNanos the time since which counters count, in nanoseconds since 1970
     * @param nowNanos the time of the samples
     */
    FamilyBuilder(String name, String type, String description, long startNanos, long nowNanos) {
        this.name = name;
        this.type = type;
        this.description = description;
        this.startNanos = startNanos;
        this.nowNanos = nowNanos;
    }

    /** Whether the sample belongs to this family. */
    boolean accepts(SampleLine sample) {
        return sample.name().equals(name)
                || (hasParts()
                        && sample.name().startsWith(name)
                        && (isPart(sample, BUCKET) || isPart(sample, SUM) || isPart(sample, COUNT)));
    }

    private boolean hasParts() {
        return type.equals("histogram") || type.equals("summary");
    }

    private boolean isPart(SampleLine sample, String suffix) {
        return sample.name().length() == name.length() + suffix.length()
                && sample.name().endsWith(suffix);
    }

    /** Adds a sample. All samples of one histogram or summary must be added one after the other. */
    void add(SampleLine sample) {
        if (!hasParts()) {
            values.add(DoublePointData.create(
                    startNanos, nowNanos, sample.attributes(), sample.value(), /* exemplars= */ List.of()));
        } else if (isPart(sample, BUCKET)) {
            bounds.add(SampleLine.number(sample.bound()));
            counts.add((long) sample.value());
        } else if (isPart(sample, SUM)) {
            sum = sample.value();
            hasSum = true;
        } else if (isPart(sample, COUNT)) {
            count = (long) sample.value();
            hasCount = true;
        }
        if (hasSum && hasCount) {
            endPoint(sample.attributes());
            hasSum = false;
            hasCount = false;
        }
    }

    private void endPoint(Attributes attributes) {
        if (type.equals("summary")) {
            summaries.add(SummaryPointData.create(
                    startNanos, nowNanos, attributes, count, sum, /* percentileValues= */ List.of()));
            return;
        }
        int last = bounds.size() - 1; // the index of the bucket without an upper bound
        List<Long> each = new ArrayList<>();
        for (int i = 0; i <= last; i++) {
            each.add(counts.get(i) - (i == 0 ? 0 : counts.get(i - 1)));
        }
        histograms.add(HistogramPointData.create(
                startNanos,
                nowNanos,
                attributes,
                sum,
                /* hasMin= */ false,
                0,
                /* hasMax= */ false,
                0,
                List.copyOf(bounds.subList(0, Math.max(last, 0))),
                each));
        bounds.clear();
        counts.clear();
    }

    /** The number of complete points. */
    int points() {
        return values.size() + histograms.size() + summaries.size();
    }

    /** Returns the complete points, and removes them from this object; empty if there are none. */
    Optional<MetricData> take(Resource resource) {
        if (points() == 0) {
            return Optional.empty();
        }
        MetricData metric = new ReadMetric(name, description, dataType(), data(), resource);
        values = new ArrayList<>();
        histograms = new ArrayList<>();
        summaries = new ArrayList<>();
        return Optional.of(metric);
    }

    private MetricDataType dataType() {
        return switch (type) {
            case "counter" -> MetricDataType.DOUBLE_SUM;
            case "histogram" -> MetricDataType.HISTOGRAM;
            case "summary" -> MetricDataType.SUMMARY;
            default -> MetricDataType.DOUBLE_GAUGE;
        };
    }

    private Data<?> data() {
        return switch (type) {
            case "counter" ->
                SumData.createDoubleSumData(/* isMonotonic= */ true, AggregationTemporality.CUMULATIVE, values);
            case "histogram" -> HistogramData.create(AggregationTemporality.CUMULATIVE, histograms);
            case "summary" -> SummaryData.create(summaries);
            default -> GaugeData.createDoubleGaugeData(values);
        };
    }
}
