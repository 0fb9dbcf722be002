package io.ballast.net.budget;

import io.ballast.net.transport.TcpSocketState;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.WriteBufferWaterMark;

/**
 * Keeps the output limits of one channel equal to those of its event loop's {@link TransitShare}. The first
 * limit is how much output may be pending before the channel is no longer writable. The second limit is how
 * much the kernel buffers beyond what the peer has acknowledged; it is set once many bytes have been written.
 * Without it the kernel would buffer up to some MiB for a peer that does not read. No budget would count that
 * memory, and the write rate would say little about the speed of the peer.
 *
 * <p>Event-loop confined. Cost: an addition and one or two comparisons per write; one system call for each connection
 * that sends many bytes, and one for each later change of its limits.
 */
public final class OutputWatermarks {

    /** The kernel limit is set after this many bytes; connections that send fewer bytes cost no system call. */
    private static final int KERNEL_LIMIT_THRESHOLD_BYTES = 16 * 1024;
    /** The maximum number of unsent bytes in the kernel; buffering more for a slow reader only costs copying. */
    private static final int MAX_UNSENT_BYTES = 32 * 1024;

    private final Channel channel;
    private final TransitShare share;
    private WriteBufferWaterMark applied = WriteBufferWaterMark.DEFAULT;
    private long written;
    private boolean kernelLimitSet;

    public OutputWatermarks(Channel channel, TransitShare share) {
        this.channel = channel;
        this.share = share;
    }

    /** Called before {@code bytes} bytes are written. */
    public void beforeWrite(int bytes) {
        written += bytes;
        WriteBufferWaterMark current = share.mark();
        boolean much = written > Math.min(KERNEL_LIMIT_THRESHOLD_BYTES, current.high());
        if (current == applied && (kernelLimitSet || !much)) {
            return;
        }
        if (current != applied) {
            applied = current;
            channel.config().setWriteBufferWaterMark(current);
        }
        if (much) {
            kernelLimitSet = true;
            TcpSocketState.limitUnsent(channel, Math.min(MAX_UNSENT_BYTES, current.high()), share.isMemoryShort());
        }
    }

    /** The number of bytes written to the channel and not yet accepted by the kernel. */
    public long pendingBytes() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
    }

    /** Whether the kernel has accepted all data written to the channel; false for a closed channel. */
    public boolean isFlushed() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer != null && buffer.totalPendingWriteBytes() == 0;
    }

    /** The number of bytes written to the channel. */
    public long writtenBytes() {
        return written;
    }
}
