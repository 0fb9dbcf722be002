package io.ballast.dashboard.metrics;

import io.ballast.core.stats.Metric;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes metric families and samples in the <a
 * href="https://prometheus.io/docs/instrumenting/exposition_formats/">Prometheus text format</a> or in <a
 * href="https://github.com/prometheus/OpenMetrics/blob/v1.0.0/specification/OpenMetrics.md">OpenMetrics</a>. Allocates
 * nothing per sample, unless a label value needs escaping. Confined to one thread.
 */
final class ExpositionText {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int FRACTION_DIGITS = 9;

    private final boolean openMetrics;
    private final byte[] digits = new byte[20];
    private ByteBuf out = Unpooled.EMPTY_BUFFER;
    private byte[] name = {};
    private LabelSet labels = LabelSet.NONE;
    private boolean hasLabels;

    ExpositionText(boolean openMetrics) {
        this.openMetrics = openMetrics;
    }

    /** Sets the buffer for the following output. */
    void setOutput(ByteBuf target) {
        out = target;
    }

    /** Writes the TYPE, UNIT and HELP lines of a metric family; the caller writes the samples next. */
    void family(Metric metric) {
        String sample = metric.exposedName();
        String family = openMetrics ? metric.familyName() : sample;
        name = sample.getBytes(StandardCharsets.US_ASCII);
        text("# TYPE ").text(family).text(" ").text(metric.kind().label()).text("\n");
        if (openMetrics && !metric.unit().isEmpty()) {
            text("# UNIT ").text(family).text(" ").text(metric.unit()).text("\n");
        }
        text("# HELP ").text(family).text(" ").text(metric.description()).text("\n");
    }

    /** Sets the labels of the following samples. */
    ExpositionText setLabels(LabelSet set) {
        labels = set;
        return this;
    }

    void sample(long value) {
        beginSample("");
        value(value);
    }

    /** Writes a sample with one additional label. */
    void sample(String label, String labelValue, long value) {
        beginSample("");
        label(label, labelValue);
        value(value);
    }

    /** Writes a duration as a sample in seconds. */
    void sampleNanos(long nanos) {
        beginSample("");
        seconds(nanos);
    }

    /** Writes the buckets, the sum and the count of a histogram. */
    void histogram(HistogramBuckets buckets) {
        List<String> bounds = buckets.bounds();
        for (int i = 0; i < bounds.size(); i++) {
            beginSample("_bucket");
            label("le", bounds.get(i));
            value(buckets.cumulativeCount(i));
        }
        beginSample("_sum");
        seconds(buckets.sumNanos());
        beginSample("_count");
        value(buckets.count());
    }

    private void beginSample(String suffix) {
        out.writeBytes(name);
        text(suffix);
        hasLabels = !labels.isEmpty();
        if (hasLabels) {
            out.writeByte('{');
            labels.writeTo(out);
        }
    }

    private void label(String label, String labelValue) {
        out.writeByte(hasLabels ? ',' : '{');
        hasLabels = true;
        text(label).text("=\"");
        escaped(labelValue);
        text("\"");
    }

    private void value(long value) {
        endLabels();
        integer(value);
        out.writeByte('\n');
    }

    private void seconds(long nanos) {
        endLabels();
        integer(nanos / NANOS_PER_SECOND);
        out.writeByte('.');
        long fraction = Math.floorMod(nanos, NANOS_PER_SECOND);
        for (int i = FRACTION_DIGITS - 1; i >= 0; i--) {
            digits[i] = (byte) ('0' + fraction % 10);
            fraction /= 10;
        }
        out.writeBytes(digits, 0, FRACTION_DIGITS);
        out.writeByte('\n');
    }

    private void endLabels() {
        if (hasLabels) {
            out.writeByte('}');
        }
        out.writeByte(' ');
    }

    private void integer(long value) {
        if (value < 0) {
            out.writeByte('-');
        }
        long rest = Math.abs(value);
        int first = digits.length;
        do {
            first--;
            digits[first] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        out.writeBytes(digits, first, digits.length - first);
    }

    /** Writes a label value, such as the name of a zone that a peer has chosen. */
    private void escaped(String value) {
        if (!LabelSet.needsEscaping(value)) {
            ByteBufUtil.writeUtf8(out, value);
            return;
        }
        StringBuilder escaped = new StringBuilder();
        LabelSet.escape(value, escaped);
        ByteBufUtil.writeUtf8(out, escaped);
    }

    /** Writes a constant ASCII text that needs no escaping. */
    private ExpositionText text(String ascii) {
        ByteBufUtil.writeAscii(out, ascii);
        return this;
    }
}
