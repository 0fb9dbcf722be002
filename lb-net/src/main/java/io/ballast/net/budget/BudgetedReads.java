package io.ballast.net.budget;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
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
    private final boolean takenInAdvance;
    private boolean muchExpected;
    private boolean endRead;

    /** @param takenInAdvance whether a read takes its buffer before there is something to read */
    public BudgetedReads(TransitShare share, boolean takenInAdvance) {
        this.share = share;
        this.takenInAdvance = takenInAdvance;
    }

    /** Whether {@code cause}, which a handler was told of, only means that reading was stopped as asked. */
    public static boolean isPause(Throwable cause) {
        return cause == PAUSED;
    }

    /** Says whether what comes next is likely to be long. */
    public void expectMuch(boolean much) {
        muchExpected = much;
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

        BudgetedHandle(ExtendedHandle adaptive) {
            super(adaptive);
        }

        @Override
        public void reset(ChannelConfig channelConfig) {
            config = channelConfig;
            readInThisRound = false;
            super.reset(channelConfig);
        }

        @Override
        public void lastBytesRead(int bytes) {
            readInThisRound |= bytes > 0;
            endRead |= bytes < 0;
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
            return ((ExtendedHandle) delegate()).continueReading(maybeMoreData);
        }
    }
}
