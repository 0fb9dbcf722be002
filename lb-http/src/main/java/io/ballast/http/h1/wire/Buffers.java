package io.ballast.http.h1.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/** Joins buffers, and counts pending output. */
public final class Buffers {

    private Buffers() {}

    /** Returns the number of bytes written to a channel that the operating system has not accepted yet. */
    public static long pendingBytes(Channel channel) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
    }

    /** Appends {@code more} to {@code start}; consumes both and returns a buffer owned by the caller. */
    public static ByteBuf join(ByteBuf start, ByteBuf more, ByteBufAllocator allocator) {
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
