package io.ballast.http.h1.wire;

import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.HeadFault;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Follows one body to its end, whatever frames it. Holds no data. Event-loop confined. */
public final class BodyReader {

    /** How long the line with the size of a chunk may be, its line end included. */
    public static final int LONGEST_SIZE_LINE = ChunkScanner.LONGEST_SIZE_LINE;

    private final ChunkScanner chunks = new ChunkScanner();
    private BodyFraming framing = BodyFraming.NONE;
    private long remaining;
    private long taken;

    public void start(BodyFraming kind, long length) {
        framing = kind;
        remaining = kind == BodyFraming.LENGTH ? length : 0;
        taken = 0;
        if (kind == BodyFraming.CHUNKED) {
            chunks.reset();
        }
    }

    public BodyFraming framing() {
        return framing;
    }

    /** How many octets of the body were taken so far, without the framing of chunks. */
    public long taken() {
        return framing == BodyFraming.CHUNKED ? chunks.dataBytes() : taken;
    }

    /** Takes what belongs to the body out of {@code buffer[from, to)}; returns the offset where it ends. */
    public int take(ByteBuf buffer, int from, int to) {
        int end =
                switch (framing) {
                    case NONE -> from;
                    case UNTIL_CLOSE, STREAM -> to;
                    case CHUNKED -> chunks.scan(buffer, from, to, /* sink= */ null);
                    case LENGTH -> {
                        int length = (int) Math.min(remaining, to - from);
                        remaining -= length;
                        yield from + length;
                    }
                };
        taken += end - from;
        return end;
    }

    public boolean isDone() {
        return switch (framing) {
            case NONE -> true;
            case LENGTH -> remaining == 0;
            case CHUNKED -> chunks.isDone();
            case UNTIL_CLOSE, STREAM -> false;
        };
    }

    public boolean isFaulty() {
        return fault() != null;
    }

    public @Nullable HeadFault fault() {
        return framing == BodyFraming.CHUNKED ? chunks.fault() : null;
    }
}
