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
 * Reports resets that Netty's io_uring transport (4.2.18 and 4.2.20) forgets: those that come together with data.
 *
 * <p>Netty's io_uring channel learns from {@code POLLRDHUP} that the peer is gone, and then reads until a read fails. But it
 * also stops reading when the system says that the socket is empty, as it is between the last octet and the error of a
 * reset; and its multishot {@code POLLIN} has fired already and does not fire again. So nobody looks at the socket any
 * more. This handler looks after every read of a channel whose peer is gone, the last time when the peer's end is read. See
 * decision 9.
 *
 * <p>A channel that {@linkplain LostOutput keeps its input} is read until the system reports the end or the reset, so that
 * nothing that arrived is lost. While its handlers pause reading, the rest stays in the system. See decision 82.
 *
 * <p>Thread safety: has no state; one serves all channels. Cost: two virtual calls a read, and one system call after a
 * read of a connection that the peer has ended.
 */
@ChannelHandler.Sharable
final class UnreportedReset extends ChannelDuplexHandler {

    static final UnreportedReset INSTANCE = new UnreportedReset();

    /** {@code TCP_CLOSE} of {@code netinet/tcp.h}: no connection any more, in either direction. */
    private static final int CLOSED = 7;

    private UnreportedReset() {}

    @Override
    public void read(ChannelHandlerContext ctx) {
        ctx.read();
        IoUringSocketChannel channel = (IoUringSocketChannel) ctx.channel();
        if (LostOutput.isInputKept(channel)
                && isPeerGone(channel)
                && channel.isActive()
                && !channel.isInputShutdown()) {
            UnpolledRead.schedule(channel); // no event announces what is left
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.fireChannelReadComplete();
        IoUringSocketChannel channel = (IoUringSocketChannel) ctx.channel();
        if (!LostOutput.isInputKept(channel) && !channel.isInputShutdown()) {
            look(ctx);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        ctx.fireUserEventTriggered(event);
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            look(ctx);
        }
    }

    private static void look(ChannelHandlerContext ctx) {
        IoUringSocketChannel channel = (IoUringSocketChannel) ctx.channel();
        // Where our side has ended too, the state is the same, and the end of what the peer sent is still to be read.
        if (isPeerGone(channel)
                && channel.isActive()
                && !channel.isOutputShutdown()
                && channel.tcpInfo().state() == CLOSED) {
            ctx.fireExceptionCaught(new ResetByPeer());
            ctx.close();
        }
    }

    /** What Netty keeps to itself shows in its wish to go on reading even if there may be nothing more. */
    private static boolean isPeerGone(IoUringSocketChannel channel) {
        return channel.unsafe().recvBufAllocHandle() instanceof RecvByteBufAllocator.ExtendedHandle handle
                && handle.continueReading(UncheckedBooleanSupplier.FALSE_SUPPLIER);
    }

    private static final class ResetByPeer extends IOException {
        private static final long serialVersionUID = 1L;

        ResetByPeer() {
            super("Connection reset by peer");
        }

        /** Says nothing that the message does not say. */
        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
