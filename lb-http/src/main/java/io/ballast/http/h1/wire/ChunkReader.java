package io.ballast.http.h1.wire;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the chunks off a body for a protocol that frames otherwise, and keeps the trailers. The side that received the body
 * has checked the chunks before. Event-loop confined.
 */
public final class ChunkReader {

    private static final int EMPTY_LINE = 2;

    private final ChunkScanner chunks = new ChunkScanner();
    private final Trailers trailers = new Trailers();

    /** Hands the data in {@code buffer} over, which is borrowed; each piece is the taker's. */
    public void read(ByteBuf buffer, Consumer<ByteBuf> taker) {
        trailers.buffer = buffer;
        trailers.taker = taker;
        chunks.scan(buffer, buffer.readerIndex(), buffer.writerIndex(), trailers);
        trailers.buffer = null;
        trailers.taker = null;
    }

    /** The lines of the trailers once the body has ended; null if there are none. */
    public byte @Nullable [] trailers() {
        int length = trailers.length - EMPTY_LINE;
        return chunks.isDone() && length > 0 ? Arrays.copyOf(trailers.bytes, length) : null;
    }

    private static final class Trailers implements ChunkScanner.DataSink {

        private byte[] bytes = new byte[EMPTY_LINE];
        private int length;
        private @Nullable ByteBuf buffer;
        private @Nullable Consumer<ByteBuf> taker;

        @Override
        public void data(int from, int count) {
            if (buffer != null && taker != null) {
                taker.accept(buffer.retainedSlice(from, count));
            }
        }

        @Override
        public void trailer(byte octet) {
            if (length == bytes.length) {
                bytes = Arrays.copyOf(bytes, 4 * length);
            }
            bytes[length++] = octet;
        }
    }
}
