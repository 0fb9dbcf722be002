package io.ballast.http.h1.client;

import static java.util.Objects.requireNonNull;

import io.ballast.http.h1.wire.Buffers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/** Data received from a client that has not been handled yet. This object owns it. Event-loop confined. */
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

    /** Returns the buffered data; ownership stays with this object. Must not be called if the buffer is empty. */
    ByteBuf bytes() {
        return requireNonNull(bytes);
    }

    /** Appends {@code received}; consumes it. */
    void add(ByteBuf received) {
        bytes = bytes == null ? received : Buffers.join(bytes, received, allocator);
    }

    /** Removes and returns the first {@code length} bytes, owned by the caller. */
    ByteBuf removeFirst(int length) {
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

    /** Releases the buffer if it is fully read. */
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
