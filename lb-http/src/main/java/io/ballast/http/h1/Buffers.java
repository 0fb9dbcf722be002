package io.ballast.http.h1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Joins what arrived in pieces. */
final class Buffers {

    private Buffers() {}

    /** Appends {@code more} to {@code start}; consumes both and returns a buffer that the caller owns. */
    static ByteBuf join(ByteBuf start, ByteBuf more, ByteBufAllocator allocator) {
        ByteBuf target = start;
        if (start.maxFastWritableBytes() < more.readableBytes()) {
            int length = start.readableBytes() + more.readableBytes();
            target = allocator.directBuffer(Math.max(2 * start.readableBytes(), length));
            target.writeBytes(start);
            start.release();
        }
        target.writeBytes(more);
        more.release();
        return target;
    }
}
