package io.ballast.http.h1.wire;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the chunks off bodies, one after the other, for a protocol that frames otherwise, and keeps the trailers. The side
 * that received a body has checked its chunks before. Event-loop confined; allocates only for trailers.
 */
public final class ChunkReader {

    private static final int EMPTY_LINE = 2;

    private final ChunkScanner chunks = new ChunkScanner();
    private final Taken taken;

    /** @param taker gets the data, piece by piece; each piece is its own */
    public ChunkReader(Consumer<ByteBuf> taker) {
        this.taken = new Taken(taker);
    }

    /** A body begins. */
    public void reset() {
        chunks.reset();
        taken.release();
    }

    /** Hands the data in {@code buffer} over, which is borrowed. */
    public void read(ByteBuf buffer) {
        taken.buffer = buffer;
        chunks.scan(buffer, buffer.readerIndex(), buffer.writerIndex(), taken);
        taken.buffer = null;
    }

    /** The lines of the trailers once the body has ended; null if there are none. */
    public byte @Nullable [] trailers() {
        int length = taken.length - EMPTY_LINE;
        return chunks.isDone() && length > 0 ? Arrays.copyOf(taken.bytes, length) : null;
    }

    private static final class Taken implements ChunkScanner.DataSink {

        private final Consumer<ByteBuf> taker;
        private byte[] bytes = new byte[EMPTY_LINE];
        private int length;
        private @Nullable ByteBuf buffer;

        Taken(Consumer<ByteBuf> taker) {
            this.taker = taker;
        }

        /** Keeps no more room than most bodies need: there is one for each stream. */
        void release() {
            length = 0;
            if (bytes.length > EMPTY_LINE) {
                bytes = new byte[EMPTY_LINE];
            }
        }

        @Override
        public void data(int from, int count) {
            if (buffer != null) {
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
