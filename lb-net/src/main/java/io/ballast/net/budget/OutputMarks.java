package io.ballast.net.budget;

import io.ballast.net.transport.PeerState;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.WriteBufferWaterMark;

/**
 * Has what is written to one channel follow the marks of its event loop's {@link TransitShare}: how much may pile up before
 * the channel is not writable any more, and, once much has been written to it, how much the system takes ahead of what the
 * peer acknowledges. Without the latter the system holds up to some MiB for a peer that does not read, which no
 * budget counts, and what it takes says little about how fast the peer is.
 *
 * <p>Event-loop confined. Cost: an addition and a comparison or two for each write; a system call for each connection over
 * which much is sent, and for each change of the marks then.
 */
public final class OutputMarks {

    /** Connections that send less cost no system call. */
    private static final int MUCH_BYTES = 16 * 1024;
    /** What the system takes ahead at most: what it takes for a slow reader is copied for nothing. */
    private static final int MOST_UNSENT_BYTES = 32 * 1024;

    private final Channel channel;
    private final TransitShare share;
    private WriteBufferWaterMark applied = WriteBufferWaterMark.DEFAULT;
    private long written;
    private boolean systemFollows;

    public OutputMarks(Channel channel, TransitShare share) {
        this.channel = channel;
        this.share = share;
    }

    /** Called before {@code bytes} octets are written. */
    public void beforeWrite(int bytes) {
        written += bytes;
        WriteBufferWaterMark current = share.mark();
        boolean much = written > Math.min(MUCH_BYTES, current.high());
        if (current == applied && (systemFollows || !much)) {
            return;
        }
        if (current != applied) {
            applied = current;
            channel.config().setWriteBufferWaterMark(current);
        }
        if (much) {
            systemFollows = true;
            PeerState.limitUnsent(channel, Math.min(MOST_UNSENT_BYTES, current.high()), share.isShort());
        }
    }

    /** How many octets were written to the channel and not taken by the system yet. */
    public long pendingBytes() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
    }

    /** Whether the system has taken all that was written to the channel; false for one that is closed. */
    public boolean isAllOut() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer != null && buffer.totalPendingWriteBytes() == 0;
    }

    /** How many octets were written to the channel. */
    public long writtenBytes() {
        return written;
    }
}
