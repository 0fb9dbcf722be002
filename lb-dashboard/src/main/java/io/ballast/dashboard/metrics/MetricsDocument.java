package io.ballast.dashboard.metrics;

import io.ballast.dashboard.server.Document;
import io.netty.buffer.ByteBuf;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All meters, written one subject after the other. Each is read when it is written. */
final class MetricsDocument implements Document {

    private final ExpositionText text;
    private final Iterator<Family<?>> families;
    private final Consumer<ByteBuf> end;
    private @Nullable Family<?> family;
    private int subject;

    /** @param end writes what follows the families */
    MetricsDocument(ExpositionText text, List<Family<?>> families, Consumer<ByteBuf> end) {
        this.text = text;
        this.families = families.iterator();
        this.end = end;
    }

    @Override
    public boolean writePiece(ByteBuf out) {
        text.to(out);
        while (out.readableBytes() < PIECE_BYTES) {
            Family<?> current = current();
            if (current == null) {
                end.accept(out);
                return false;
            }
            current.write(text, subject++);
        }
        return true;
    }

    /** The family to go on with; null if all are written. */
    private @Nullable Family<?> current() {
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
