package io.ballast.dns.net;

import io.ballast.dns.answer.Transport;
import io.ballast.dns.stats.DnsCounter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Answers the datagrams of one socket. Responses of a batch leave together, when the batch has been read. */
final class UdpHandler extends ChannelInboundHandlerAdapter {

    /** Between two looks whether more has come; the event loop looks at its sockets at least once meanwhile. */
    private static final long DRAIN_MILLIS = 5;

    /** What still comes after a second goes to nobody. */
    private static final int MOST_DRAINS = 200;

    private final AnswerLoop loop;
    private boolean hasRead;

    UdpHandler(AnswerLoop loop) {
        this.loop = loop;
    }

    /** Consumes the datagram before it returns: its content is a slice of the whole batch. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        DatagramPacket packet = (DatagramPacket) message;
        try {
            ByteBuf content = packet.content();
            InetSocketAddress sender = packet.sender();
            int length =
                    loop.answer(content, content.readableBytes(), sender.getAddress(), sender.getPort(), Transport.UDP);
            if (length > 0) {
                reply(ctx, sender, length);
            }
        } finally {
            packet.release();
        }
    }

    /** Answers what waits in the socket, and closes it when nothing came for a while. Any thread may call it, once. */
    void drain(Channel channel) {
        channel.eventLoop().execute(() -> closeWhenQuiet(channel, MOST_DRAINS));
    }

    private void closeWhenQuiet(Channel channel, int looks) {
        if (looks == 0 || (looks < MOST_DRAINS && !hasRead)) {
            channel.flush();
            channel.close();
            return;
        }
        hasRead = false;
        channel.eventLoop().schedule(() -> closeWhenQuiet(channel, looks - 1), DRAIN_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void reply(ChannelHandlerContext ctx, InetSocketAddress client, int length) {
        // What the network does not take must not pile up.
        if (!ctx.channel().isWritable()) {
            loop.count(DnsCounter.DROPPED);
            return;
        }
        ByteBuf content = ctx.alloc().directBuffer(length).writeBytes(loop.response(), 0, length);
        ctx.write(new DatagramPacket(content, client), ctx.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        hasRead = true;
        ctx.flush();
        Batching.gather();
    }

    /** The socket stays open whatever happened: a client that cannot be reached is no reason to fail the others. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException) {
            loop.count(DnsCounter.DROPPED);
        }
        loop.failed(cause);
    }
}
