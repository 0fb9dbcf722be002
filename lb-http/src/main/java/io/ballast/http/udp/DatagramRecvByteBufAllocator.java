package io.ballast.http.udp;

import io.ballast.net.budget.TransitShare;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Allocates the read buffers of a datagram socket, always of the same size, and counts them in the
 * {@link TransitShare}. On io_uring a buffer is held until a datagram arrives. Event-loop confined.
 */
final class DatagramRecvByteBufAllocator implements RecvByteBufAllocator {

    private final RecvByteBufAllocator fixed;
    private final TransitShare share;
    private final int bytes;

    DatagramRecvByteBufAllocator(int bytes, TransitShare share) {
        this.fixed = new FixedRecvByteBufAllocator(bytes);
        this.share = share;
        this.bytes = bytes;
    }

    @Override
    @SuppressWarnings("deprecation") // Netty's transports still require this interface
    public Handle newHandle() {
        return new CountedHandle((ExtendedHandle) fixed.newHandle());
    }

    @SuppressWarnings("deprecation")
    private final class CountedHandle extends DelegatingHandle implements ExtendedHandle {

        CountedHandle(ExtendedHandle fixedHandle) {
            super(fixedHandle);
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            share.countAllocation(bytes);
            return allocator.ioBuffer(bytes);
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
            return ((ExtendedHandle) delegate()).continueReading(maybeMoreData);
        }
    }
}
