package io.ballast.http.tcp;

import io.ballast.net.tls.ClientHello;
import io.ballast.net.tls.ClientHelloReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * What a client sent before its backend was connected. There is little of it: a client is not read meanwhile, but for the
 * beginning that says where it wants to go, and for what the system held when the client finished sending. Event-loop
 * confined.
 */
final class EarlyData {

    private static final int MOST_PARTS = 256;

    private final ByteBufAllocator allocator;
    private @Nullable CompositeByteBuf parts;

    EarlyData(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    /** Keeps {@code data}; consumes it. */
    void add(ByteBuf data) {
        if (parts == null) {
            parts = allocator.compositeDirectBuffer(MOST_PARTS);
        }
        parts.addComponent(/* increaseWriterIndex= */ true, data);
    }

    int bytes() {
        return parts == null ? 0 : parts.readableBytes();
    }

    /** What a TLS client says first; null if more must be read to know. */
    @Nullable ClientHello clientHello() {
        return parts == null ? null : ClientHelloReader.read(parts);
    }

    /** All of it, for the caller to release. */
    ByteBuf take() {
        ByteBuf all = parts == null ? Unpooled.EMPTY_BUFFER : parts;
        parts = null;
        return all;
    }

    void release() {
        if (parts != null) {
            parts.release();
            parts = null;
        }
    }
}
