package io.ballast.net.budget;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Allocates the read buffers of one connection: as large as recent reads suggest, but no larger than the
 * {@link TransitShare} allows now.
 *
 * <p>On io_uring, Netty allocates a buffer when it submits a read, and holds it until data arrives. So the
 * first buffer of a read loop is small unless a lot of data is expected; otherwise each idle connection would
 * hold {@code 64 KiB}.
 *
 * <p>If the event loop has read enough in this turn, a connection that expects a lot of data waits for a
 * later turn: see {@link ReadLimiter}. Callers stop and resume reading with {@link #setReading}, which takes
 * that wait into account.
 *
 * <p>Event-loop confined.
 */
public final class BudgetedRecvByteBufAllocator implements RecvByteBufAllocator {

    private static final RecvByteBufAllocator ADAPTIVE = new AdaptiveRecvByteBufAllocator();
    /** The first buffer size if little data is expected; enough for most request and response heads. */
    private static final int WAITING_BYTES = 4 * 1024;

    /**
     * The exception that ends a read loop on io_uring. After a peer has half-closed the connection, Netty reads
     * all data in the receive buffer, up to some MiB, even with auto-read off. Only a failed allocation stops it.
     * The channel's handler ignores the exception, and reading continues when it is resumed. (Netty's epoll
     * transport does not recover from such an exception, so it is not used on epoll and NIO.)
     */
    private static final class ReadingPaused extends RuntimeException {

        private static final long serialVersionUID = 1;

        ReadingPaused() {
            super("reading is paused", null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        }
    }

    @SuppressWarnings("StaticAssignmentOfThrowable") // safe to share: no stack trace, no specific message
    private static final ReadingPaused PAUSED = new ReadingPaused();

    private final TransitShare share;
    private final ReadLimiter readLimiter;
    private final boolean allocatesBeforeData;
    private boolean expectsMuchData;
    private boolean inputEnded;
    private @Nullable Channel pausedChannel;
    private boolean queued;

    /** @param takenInAdvance whether a read allocates its buffer before data has arrived */
    public BudgetedRecvByteBufAllocator(TransitShare share, ReadLimiter turns, boolean takenInAdvance) {
        this.share = share;
        this.readLimiter = turns;
        this.allocatesBeforeData = takenInAdvance;
    }

    /** Whether {@code cause}, as passed to a handler's {@code exceptionCaught}, only means that reading was paused. */
    public static boolean isPause(Throwable cause) {
        return cause == PAUSED;
    }

    /** Stops or resumes reading from a channel; works with every receive buffer allocator. */
    public static void setReading(Channel channel, boolean on) {
        if (channel.config().getRecvByteBufAllocator() instanceof BudgetedRecvByteBufAllocator reads
                && reads.pausedChannel != null) {
            if (!on) {
                reads.pausedChannel = null; // so the connection's turn does not resume reading
            }
        } else if (channel.config().isAutoRead() != on) {
            channel.config().setAutoRead(on);
        }
    }

    /**
     * Ends a read loop of {@code channel}; called after its handler was notified. If a lot of data is expected
     * next and the event loop has read enough in this turn, reading pauses until a later turn.
     *
     * @param much whether a lot of data is likely to follow
     */
    public void endReadLoop(Channel channel, boolean much) {
        expectsMuchData = much;
        if (much
                && pausedChannel == null
                && readLimiter.isUsedUp()
                && channel.config().isAutoRead()) {
            pausedChannel = channel;
            channel.config().setAutoRead(false);
            if (!queued) {
                queued = true;
                readLimiter.await(this);
            }
        } else if (!much && pausedChannel != null) {
            resumeNow();
        }
    }

    /** Resumes reading in this connection's turn. Returns false if the connection no longer waits. */
    boolean resume() {
        queued = false;
        return pausedChannel != null && resumeNow();
    }

    private boolean resumeNow() {
        Channel channel = requireNonNull(pausedChannel);
        pausedChannel = null;
        boolean open = channel.isOpen();
        if (open) {
            channel.config().setAutoRead(true);
        }
        return open;
    }

    /** Whether the peer has half-closed the connection and all of its data was read. */
    public boolean isInputEnded() {
        return inputEnded;
    }

    @Override
    @SuppressWarnings("deprecation") // Netty's transports still require this interface
    public Handle newHandle() {
        return new BudgetedHandle((ExtendedHandle) ADAPTIVE.newHandle());
    }

    @SuppressWarnings("deprecation")
    private final class BudgetedHandle extends DelegatingHandle implements ExtendedHandle {

        private @Nullable ChannelConfig config;
        private boolean readInThisRound;
        private int roundBytes;

        BudgetedHandle(ExtendedHandle adaptive) {
            super(adaptive);
        }

        @Override
        public void reset(ChannelConfig channelConfig) {
            config = channelConfig;
            readInThisRound = false;
            roundBytes = 0;
            super.reset(channelConfig);
        }

        @Override
        public void lastBytesRead(int bytes) {
            readInThisRound |= bytes > 0;
            inputEnded |= bytes < 0;
            if (bytes > 0) {
                roundBytes += bytes;
                if (roundBytes > WAITING_BYTES || expectsMuchData) {
                    readLimiter.countRead(bytes);
                }
            }
            super.lastBytesRead(bytes);
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            int bytes = Math.min(guess(), share.readBytes());
            if (allocatesBeforeData) {
                if (!readInThisRound) {
                    bytes = expectsMuchData ? bytes : Math.min(bytes, WAITING_BYTES);
                } else if (config != null && !config.isAutoRead()) {
                    throw PAUSED;
                }
            }
            share.countAllocation(bytes);
            return allocator.ioBuffer(bytes);
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
            return config != null // null before the first read
                    && ((ExtendedHandle) delegate()).continueReading(maybeMoreData);
        }
    }
}
