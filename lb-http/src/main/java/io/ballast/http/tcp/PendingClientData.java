package io.ballast.http.tcp;

import io.ballast.net.tls.ClientHello;
import io.ballast.net.tls.ClientHelloReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Data that a client sent before its backend was connected. The amount is small, because reading is paused
 * until the connection exists. Only the first data is read, to determine the destination. If the client
 * half-closes, the rest of the receive buffer is read too. Event-loop confined.
 */
final class PendingClientData {

    private static final int MAX_PARTS = 256;

    private final ByteBufAllocator allocator;
    private @Nullable CompositeByteBuf parts;

    PendingClientData(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    /** Appends {@code data}; consumes it. */
    void add(ByteBuf data) {
        if (parts == null) {
            parts = allocator.compositeDirectBuffer(MAX_PARTS);
        }
        parts.addComponent(/* increaseWriterIndex= */ true, data);
    }

    int bytes() {
        return parts == null ? 0 : parts.readableBytes();
    }

    /** The ClientHello of a TLS client; null if more data is needed. */
    @Nullable ClientHello clientHello() {
        return parts == null ? null : ClientHelloReader.read(parts);
    }

    /** Returns all data, which the caller must release. */
    ByteBuf removeAll() {
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
