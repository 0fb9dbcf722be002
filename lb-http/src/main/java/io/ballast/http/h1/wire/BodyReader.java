package io.ballast.http.h1.wire;

import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.TrailerRules;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Tracks one body to its end, for every kind of framing. Holds no data. Event-loop confined. */
public final class BodyReader {

    /** The maximum length of a chunk size line, including its line end. */
    public static final int LONGEST_SIZE_LINE = ChunkScanner.LONGEST_SIZE_LINE;

    private final ChunkScanner chunks = new ChunkScanner();
    private BodyFraming framing = BodyFraming.NONE;
    private long remaining;
    private long consumedBytes;

    public void start(BodyFraming kind, long length) {
        framing = kind;
        remaining = kind == BodyFraming.LENGTH ? length : 0;
        consumedBytes = 0;
        if (kind == BodyFraming.CHUNKED) {
            chunks.reset();
        }
    }

    /** Rejects the trailers of the current body that {@code rules} forbid; must precede {@link #consume}. */
    public void restrictTrailers(TrailerRules rules) {
        if (framing == BodyFraming.CHUNKED) {
            chunks.restrictTrailers(rules);
        }
    }

    public BodyFraming framing() {
        return framing;
    }

    /** The number of body bytes consumed so far, without chunk framing. */
    public long consumedBytes() {
        return framing == BodyFraming.CHUNKED ? chunks.dataBytes() : consumedBytes;
    }

    /** Consumes the body data in {@code buffer[from, to)}; returns the offset where the data ends. */
    public int consume(ByteBuf buffer, int from, int to) {
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
        consumedBytes += end - from;
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

    public @Nullable HeadError fault() {
        return framing == BodyFraming.CHUNKED ? chunks.fault() : null;
    }
}
