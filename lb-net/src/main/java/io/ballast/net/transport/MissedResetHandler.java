package io.ballast.net.transport;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.uring.IoUringSocketChannel;
import io.netty.channel.uring.UnpolledRead;
import io.netty.util.UncheckedBooleanSupplier;
import java.io.IOException;

/**
 * Reports resets that arrive together with data, which Netty's io_uring transport (4.2.18 and 4.2.20)
 * misses.
 *
 * <p>Netty's io_uring channel learns from {@code POLLRDHUP} that the peer is gone, and then reads until a read fails.
 * But it also stops reading when the system reports an empty socket, which happens between the last byte and the error
 * of a reset. Its multishot {@code POLLIN} has already fired and does not fire again. So Netty never reads the error
 * that reports the reset. This handler checks the socket after every read of a channel whose peer is gone. The last
 * check happens when the end of the peer's data is read. See decision 9.
 *
 * <p>A channel that {@linkplain FailedWriteReader keeps its input} is read until the system reports the end
 * or the reset, so that no received data is lost. While its handlers pause reading, the rest stays in the
 * kernel. See decision 82.
 *
 * <p>Thread safety: stateless; one instance serves all channels. Cost: two virtual calls per read, and one
 * system call after a read of a connection that the peer has ended.
 */
@ChannelHandler.Sharable
final class MissedResetHandler extends ChannelDuplexHandler {

    static final MissedResetHandler INSTANCE = new MissedResetHandler();

    /** {@code TCP_CLOSE} of {@code netinet/tcp.h}: closed in both directions. */
    private static final int CLOSED = 7;

    private MissedResetHandler() {}

    @Override
    public void read(ChannelHandlerContext ctx) {
        ctx.read();
        IoUringSocketChannel channel = (IoUringSocketChannel) ctx.channel();
        if (FailedWriteReader.staysOpenAfterFailedWrite(channel)
                && isPeerGone(channel)
                && channel.isActive()
                && !channel.isInputShutdown()) {
            UnpolledRead.schedule(channel); // Netty gets no event for the remaining data
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.fireChannelReadComplete();
        IoUringSocketChannel channel = (IoUringSocketChannel) ctx.channel();
        if (!FailedWriteReader.staysOpenAfterFailedWrite(channel) && !channel.isInputShutdown()) {
            checkForReset(ctx);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        ctx.fireUserEventTriggered(event);
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            checkForReset(ctx);
        }
    }

    private static void checkForReset(ChannelHandlerContext ctx) {
        IoUringSocketChannel channel = (IoUringSocketChannel) ctx.channel();
        // If our output is shut down too, the TCP state is also CLOSED after a normal close. Then the state does
        // not indicate a reset, and the end of the peer's data must still be read.
        if (isPeerGone(channel)
                && channel.isActive()
                && !channel.isOutputShutdown()
                && channel.tcpInfo().state() == CLOSED) {
            ctx.fireExceptionCaught(new ResetByPeer());
            ctx.close();
        }
    }

    /**
     * Returns whether Netty knows that the peer is gone. This is derived from {@code continueReading}: if nothing
     * indicates more data, Netty continues to read only if the peer is gone.
     */
    private static boolean isPeerGone(IoUringSocketChannel channel) {
        return channel.unsafe().recvBufAllocHandle() instanceof RecvByteBufAllocator.ExtendedHandle handle
                && handle.continueReading(UncheckedBooleanSupplier.FALSE_SUPPLIER);
    }

    private static final class ResetByPeer extends IOException {
        private static final long serialVersionUID = 1L;

        ResetByPeer() {
            super("Connection reset by peer");
        }

        /** Omits the stack trace, which adds nothing to the message. */
        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
