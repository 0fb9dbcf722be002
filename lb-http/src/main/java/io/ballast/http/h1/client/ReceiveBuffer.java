package io.ballast.http.h1.client;

import static java.util.Objects.requireNonNull;

import io.ballast.http.h1.wire.Buffers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/** What arrived from a client and was not handled yet. Owns it. Event-loop confined. */
final class ReceiveBuffer {

    private final ByteBufAllocator allocator;
    private @Nullable ByteBuf bytes;

    ReceiveBuffer(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    boolean isEmpty() {
        return bytes == null;
    }

    int readableBytes() {
        return bytes == null ? 0 : bytes.readableBytes();
    }

    /** What is there; borrowed. Only if it is not empty. */
    ByteBuf bytes() {
        return requireNonNull(bytes);
    }

    /** Appends {@code received}; consumes it. */
    void add(ByteBuf received) {
        bytes = bytes == null ? received : Buffers.join(bytes, received, allocator);
    }

    /** Takes out the first {@code length} bytes, which the caller then owns. */
    ByteBuf take(int length) {
        ByteBuf source = requireNonNull(bytes);
        if (source.readableBytes() == length) {
            bytes = null;
            return source;
        }
        return source.readRetainedSlice(length);
    }

    void skip(int length) {
        requireNonNull(bytes).skipBytes(length);
        dropIfRead();
    }

    /** Lets go of the buffer if everything in it was read. */
    void dropIfRead() {
        if (bytes != null && !bytes.isReadable()) {
            drop();
        }
    }

    void drop() {
        if (bytes != null) {
            bytes.release();
            bytes = null;
        }
    }
}
