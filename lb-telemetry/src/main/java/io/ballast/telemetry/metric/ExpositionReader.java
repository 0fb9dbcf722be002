package io.ballast.telemetry.metric;

import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.resources.Resource;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Converts a text in the Prometheus text format into batches of metrics. Its memory is bounded by the size of a batch.
 * Confined to one thread.
 */
final class ExpositionReader {

    /** A batch of metrics. */
    record Batch(List<MetricData> metrics, int points) {}

    private static final String TYPE = "# TYPE ";
    private static final String HELP = "# HELP ";

    private final Resource resource;
    private final long startNanos;
    private final long nowNanos;
    private final int batchPoints;
    private final Consumer<Batch> batches;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    private List<MetricData> complete = new ArrayList<>();
    private int completePoints;
    private @Nullable FamilyBuilder family;
    private String type = "";
    private String typedName = "";
    private String description = "";

    /**
     * @param batchPoints the number of values that completes a batch
     * @param batches called with each batch
     */
    ExpositionReader(Resource resource, long startNanos, long nowNanos, int batchPoints, Consumer<Batch> batches) {
        this.resource = resource;
        this.startNanos = startNanos;
        this.nowNanos = nowNanos;
        this.batchPoints = batchPoints;
        this.batches = batches;
    }

    /** Reads the next part of the text, which may end within a line. */
    void read(byte[] part) {
        int start = 0;
        for (int i = 0; i < part.length; i++) {
            if (part[i] == '\n') {
                line.write(part, start, i - start);
                readLine(line.toString(StandardCharsets.UTF_8));
                line.reset();
                start = i + 1;
            }
        }
        line.write(part, start, part.length - start);
    }

    /** Passes on the last batch. */
    void end() {
        endFamily();
        endBatch();
    }

    private void readLine(String text) {
        if (text.startsWith(TYPE)) {
            endFamily();
            int blank = text.lastIndexOf(' ');
            typedName = text.substring(TYPE.length(), blank);
            type = text.substring(blank + 1);
            family = null;
        } else if (text.startsWith(HELP)) {
            int blank = text.indexOf(' ', HELP.length());
            description = blank < 0 ? "" : text.substring(blank + 1);
        } else if (!text.isEmpty() && text.charAt(0) != '#') {
            readSample(SampleLine.parse(text));
        }
    }

    private void readSample(SampleLine sample) {
        FamilyBuilder current = family;
        if (current == null) {
            current = new FamilyBuilder(typedName, type, description, startNanos, nowNanos);
            family = current;
        }
        if (!current.accepts(sample)) {
            return;
        }
        current.add(sample);
        if (completePoints + current.points() >= batchPoints) {
            takePoints(current);
            endBatch();
        }
    }

    private void endFamily() {
        FamilyBuilder current = family;
        if (current != null) {
            takePoints(current);
            family = null;
        }
    }

    private void takePoints(FamilyBuilder current) {
        completePoints += current.points();
        current.take(resource).ifPresent(complete::add);
    }

    private void endBatch() {
        if (completePoints > 0) {
            batches.accept(new Batch(complete, completePoints));
            complete = new ArrayList<>();
            completePoints = 0;
        }
    }
}
