package io.ballast.http.h1.wire;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.HeadError;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Copies the start of one body without its chunked coding. The source buffers keep their data. Copying ends when the
 * body ends, is invalid, or is longer than its maximum. Event-loop confined.
 */
public final class BodyCopy {

    private final boolean chunked;
    private final int maxBytes;
    private final ChunkScanner chunks = new ChunkScanner();
    private final ByteAppender copied = new ByteAppender();
    private long remaining;
    private boolean tooLong;

    /**
     * @param framing {@link BodyFraming#LENGTH} or {@link BodyFraming#CHUNKED}
     * @param length the length of the body in bytes if it is known
     * @param maxBytes the maximum number of bytes to copy
     */
    public BodyCopy(BodyFraming framing, long length, int maxBytes) {
        this.chunked = framing == BodyFraming.CHUNKED;
        this.remaining = length;
        this.maxBytes = maxBytes;
    }

    /** Copies body data from {@code buffer[from, to)}; returns the offset where the data ends. */
    public int read(ByteBuf buffer, int from, int to) {
        if (chunked) {
            return chunks.scan(buffer, from, to, (start, count) -> copy(buffer, start, count));
        }
        int count = (int) Math.min(remaining, to - from);
        remaining -= count;
        copy(buffer, from, count);
        return from + count;
    }

    private void copy(ByteBuf buffer, int from, int count) {
        int kept = Math.min(count, maxBytes - copied.length());
        byte[] piece = new byte[kept];
        buffer.getBytes(from, piece);
        copied.append(piece);
        tooLong |= kept < count;
    }

    /** Whether no more data is needed. */
    public boolean hasEnded() {
        return tooLong || isComplete() || fault() != null;
    }

    /** Whether the whole body was copied. */
    public boolean isComplete() {
        return !tooLong && (chunked ? chunks.isDone() : remaining == 0);
    }

    /** The reason why the body is invalid; null if it is valid so far. */
    public @Nullable HeadError fault() {
        return chunks.fault();
    }

    /** Returns the copied bytes. */
    public byte[] bytes() {
        return Arrays.copyOf(copied.bytes(), copied.length());
    }
}
