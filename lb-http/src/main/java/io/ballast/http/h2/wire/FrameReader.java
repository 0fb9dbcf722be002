package io.ballast.http.h2.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Splits received bytes into frames. Reassembles a frame that arrives in parts, so that the sink gets whole frames.
 * Event-loop confined.
 */
public final class FrameReader {

    /** Receives the frames. */
    public interface Sink {

        /** Receives a frame. The payload is {@code source[at, at + length)}, valid only during the call. */
        boolean frame(int type, int flags, int stream, ByteBuf source, int at, int length);

        /** Reports a frame whose length exceeds our limit. */
        void frameTooLarge(int type, int stream);
    }

    private final Sink sink;
    private final ByteBufAllocator allocator;
    private @Nullable ByteBuf partial;

    public FrameReader(Sink sink, ByteBufAllocator allocator) {
        this.sink = sink;
        this.allocator = allocator;
    }

    /** Reads received bytes; takes ownership of the buffer. */
    public void read(ByteBuf received) {
        try {
            if (partial != null && !complete(received)) {
                return;
            }
            frames(received);
        } finally {
            received.release();
        }
    }

    /** Completes the partial frame; false if it is still incomplete or the sink has stopped reading. */
    private boolean complete(ByteBuf received) {
        ByteBuf frame = partial;
        if (frame == null) {
            return true;
        }
        fill(frame, Frame.HEADER_BYTES, received);
        if (frame.readableBytes() < Frame.HEADER_BYTES) {
            return false;
        }
        int length = frame.getUnsignedMedium(0);
        if (length > Frame.MAX_PAYLOAD_BYTES) {
            sink.frameTooLarge(frame.getByte(3), frame.getInt(5) & Integer.MAX_VALUE);
            return false;
        }
        fill(frame, Frame.HEADER_BYTES + length, received);
        if (frame.readableBytes() < Frame.HEADER_BYTES + length) {
            return false;
        }
        partial = null;
        try {
            return dispatchFrame(frame, 0, length);
        } finally {
            frame.release();
        }
    }

    private static void fill(ByteBuf frame, int bytes, ByteBuf received) {
        int missing = Math.min(bytes - frame.readableBytes(), received.readableBytes());
        if (missing > 0) {
            frame.writeBytes(received, missing);
        }
    }

    private void frames(ByteBuf received) {
        while (received.readableBytes() >= Frame.HEADER_BYTES) {
            int at = received.readerIndex();
            int length = received.getUnsignedMedium(at);
            if (length > Frame.MAX_PAYLOAD_BYTES) {
                sink.frameTooLarge(received.getByte(at + 3), received.getInt(at + 5) & Integer.MAX_VALUE);
                return;
            }
            if (received.readableBytes() < Frame.HEADER_BYTES + length) {
                break;
            }
            received.skipBytes(Frame.HEADER_BYTES + length);
            if (!dispatchFrame(received, at, length)) {
                return;
            }
        }
        if (received.isReadable()) {
            int whole = received.readableBytes() < Frame.HEADER_BYTES
                    ? Frame.MAX_PAYLOAD_BYTES
                    : received.getUnsignedMedium(received.readerIndex());
            ByteBuf frame = allocator.directBuffer(received.readableBytes(), Frame.HEADER_BYTES + whole);
            frame.writeBytes(received);
            partial = frame;
        }
    }

    private boolean dispatchFrame(ByteBuf source, int at, int length) {
        return sink.frame(
                source.getByte(at + 3) & 0xff,
                source.getByte(at + 4) & 0xff,
                source.getInt(at + 5) & Integer.MAX_VALUE,
                source,
                at + Frame.HEADER_BYTES,
                length);
    }

    /** Number of buffered bytes of an incomplete frame. */
    public int bufferedBytes() {
        return partial == null ? 0 : partial.readableBytes();
    }

    /** Releases the incomplete frame. */
    public void release() {
        if (partial != null) {
            partial.release();
            partial = null;
        }
    }
}
