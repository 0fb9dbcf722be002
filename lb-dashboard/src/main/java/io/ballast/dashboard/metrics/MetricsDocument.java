package io.ballast.dashboard.metrics;

import io.ballast.dashboard.server.Document;
import io.netty.buffer.ByteBuf;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All metrics. Each step writes the samples of one object, such as a pool, in one metric family. Each value
 * is read at the moment it is written.
 */
final class MetricsDocument implements Document {

    private final ExpositionText text;
    private final Iterator<MetricFamily<?>> families;
    private final Consumer<ByteBuf> end;
    private @Nullable MetricFamily<?> family;
    private int subject;

    /**
     * @param end writes the text after the families
     */
    MetricsDocument(ExpositionText text, List<MetricFamily<?>> families, Consumer<ByteBuf> end) {
        this.text = text;
        this.families = families.iterator();
        this.end = end;
    }

    @Override
    public boolean writePiece(ByteBuf out) {
        text.setOutput(out);
        while (out.readableBytes() < PIECE_BYTES) {
            MetricFamily<?> current = current();
            if (current == null) {
                end.accept(out);
                return false;
            }
            current.write(text, subject++);
        }
        return true;
    }

    /** Returns the current family; null if all are written. */
    private @Nullable MetricFamily<?> current() {
        while (family == null || subject == family.subjects().size()) {
            if (!families.hasNext()) {
                return null;
            }
            family = families.next();
            subject = 0;
        }
        return family;
    }
}
