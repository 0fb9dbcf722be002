package io.ballast.dns.net;

import io.ballast.dns.answer.Transport;
import io.ballast.dns.stats.DnsCounter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Answers the datagrams of one socket. Responses of a batch leave together, when the batch has been read. */
final class UdpHandler extends ChannelInboundHandlerAdapter {

    private final AnswerLoop loop;

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
