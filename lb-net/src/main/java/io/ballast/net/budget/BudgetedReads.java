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
 * Allocates the buffers that one connection reads into: as large as recent reads suggest, but no larger than the
 * {@link TransitShare} allows now.
 *
 * <p>With io_uring a buffer is taken when a read is asked for, and kept until something comes. So there the first of a
 * round of reads is small unless much is expected: connections that wait would else keep {@code 64 KiB} each.
 *
 * <p>A connection that expects much is not read again in the same turn of its event loop if the loop has read enough: see
 * {@link ReadTurns}. Owners that stop and resume reading do so by {@link #reading}, which knows of that.
 *
 * <p>Event-loop confined.
 */
public final class BudgetedReads implements RecvByteBufAllocator {

    private static final RecvByteBufAllocator ADAPTIVE = new AdaptiveRecvByteBufAllocator();
    /** Enough for most heads. */
    private static final int WAITING_BYTES = 4 * 1024;

    /**
     * Ends a round of reading on io_uring. Once a peer has closed its side, Netty reads all that the system holds, up to some
     * MiB, even if the channel was told to stop reading; the one thing that it heeds is a failure to allocate. The channel's
     * handler ignores it, and reading goes on when it is resumed. (Netty's epoll transport does not find its way back from
     * there, so on epoll and NIO it is not used.)
     */
    private static final class ReadingPaused extends RuntimeException {

        private static final long serialVersionUID = 1;

        ReadingPaused() {
            super("reading is paused", null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        }
    }

    @SuppressWarnings("StaticAssignmentOfThrowable") // it has no stack and says nothing of the occasion
    private static final ReadingPaused PAUSED = new ReadingPaused();

    private final TransitShare share;
    private final ReadTurns turns;
    private final boolean takenInAdvance;
    private boolean muchExpected;
    private boolean endRead;
    private @Nullable Channel paused;
    private boolean queued;

    /** @param takenInAdvance whether a read takes its buffer before there is something to read */
    public BudgetedReads(TransitShare share, ReadTurns turns, boolean takenInAdvance) {
        this.share = share;
        this.turns = turns;
        this.takenInAdvance = takenInAdvance;
    }

    /** Whether {@code cause}, which a handler was told of, only means that reading was stopped as asked. */
    public static boolean isPause(Throwable cause) {
        return cause == PAUSED;
    }

    /** Stops or resumes reading from a channel, whatever it reads into. */
    public static void reading(Channel channel, boolean on) {
        if (channel.config().getRecvByteBufAllocator() instanceof BudgetedReads reads && reads.paused != null) {
            if (!on) {
                reads.paused = null; // stays off
            }
        } else if (channel.config().isAutoRead() != on) {
            channel.config().setAutoRead(on);
        }
    }

    /**
     * Ends a round of reads from {@code channel}, which its handler has been told of. If much is expected next, and the event
     * loop has read enough in this turn, the next round waits.
     *
     * @param much whether what comes next is likely to be long
     */
    public void roundEnded(Channel channel, boolean much) {
        muchExpected = much;
        if (much && paused == null && turns.isUsedUp() && channel.config().isAutoRead()) {
            paused = channel;
            channel.config().setAutoRead(false);
            if (!queued) {
                queued = true;
                turns.await(this);
            }
        } else if (!much && paused != null) {
            resumeNow();
        }
    }

    /** It is the turn of this connection; false if it does not wait any more. */
    boolean resume() {
        queued = false;
        return paused != null && resumeNow();
    }

    private boolean resumeNow() {
        Channel channel = requireNonNull(paused);
        paused = null;
        boolean open = channel.isOpen();
        if (open) {
            channel.config().setAutoRead(true);
        }
        return open;
    }

    /** Whether the peer's end was read: it has said all, and all of that was read. */
    public boolean hasReadEnd() {
        return endRead;
    }

    @Override
    @SuppressWarnings("deprecation") // Netty's transports still want this interface
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
            endRead |= bytes < 0;
            if (bytes > 0) {
                roundBytes += bytes;
                if (roundBytes > WAITING_BYTES || muchExpected) {
                    turns.read(bytes);
                }
            }
            super.lastBytesRead(bytes);
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            int bytes = Math.min(guess(), share.readBytes());
            if (takenInAdvance) {
                if (!readInThisRound) {
                    bytes = muchExpected ? bytes : Math.min(bytes, WAITING_BYTES);
                } else if (config != null && !config.isAutoRead()) {
                    throw PAUSED;
                }
            }
            share.allocating(bytes);
            return allocator.ioBuffer(bytes);
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
            return config != null // null before the first read
                    && ((ExtendedHandle) delegate()).continueReading(maybeMoreData);
        }
    }
}
