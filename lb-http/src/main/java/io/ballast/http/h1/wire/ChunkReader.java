package io.ballast.http.h1.wire;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Removes the chunked coding from bodies for a recipient whose protocol frames bodies in another way, and keeps the
 * trailers. One instance decodes one body after another. The code that received the chunks has already validated them.
 * Event-loop confined; allocates only for trailers.
 */
public final class ChunkReader {

    private static final int EMPTY_LINE = 2;

    private final ChunkScanner chunks = new ChunkScanner();
    private final Collector sink;

    /** @param taker receives the data in pieces, and owns each piece */
    public ChunkReader(Consumer<ByteBuf> taker) {
        this.sink = new Collector(taker);
    }

    /** Starts a new body. */
    public void reset() {
        chunks.reset();
        sink.release();
    }

    /** Passes the body data in {@code buffer} to the consumer; the caller keeps ownership of {@code buffer}. */
    public void read(ByteBuf buffer) {
        sink.buffer = buffer;
        chunks.scan(buffer, buffer.readerIndex(), buffer.writerIndex(), sink);
        sink.buffer = null;
    }

    /** The trailer lines after the end of the body; null if there are none. */
    public byte @Nullable [] trailers() {
        int length = sink.length - EMPTY_LINE;
        return chunks.isDone() && length > 0 ? Arrays.copyOf(sink.bytes, length) : null;
    }

    private static final class Collector implements ChunkScanner.DataSink {

        private final Consumer<ByteBuf> dataConsumer;
        private byte[] bytes = new byte[EMPTY_LINE];
        private int length;
        private @Nullable ByteBuf buffer;

        Collector(Consumer<ByteBuf> taker) {
            this.dataConsumer = taker;
        }

        /**
         * Clears the trailers, and shrinks their buffer to the size that most bodies need, because each stream has a
         * buffer.
         */
        void release() {
            length = 0;
            if (bytes.length > EMPTY_LINE) {
                bytes = new byte[EMPTY_LINE];
            }
        }

        @Override
        public void data(int from, int count) {
            if (buffer != null) {
                dataConsumer.accept(buffer.retainedSlice(from, count));
            }
        }

        @Override
        public void trailer(byte b) {
            if (length == bytes.length) {
                bytes = Arrays.copyOf(bytes, 4 * length);
            }
            bytes[length++] = b;
        }
    }
}
