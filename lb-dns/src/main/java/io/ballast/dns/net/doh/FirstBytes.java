package io.ballast.dns.net.doh;

import io.ballast.dns.net.stream.StreamConnection;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Notes that a request has begun, of which the decoder behind tells nothing before its head is whole. */
final class FirstBytes extends ChannelInboundHandlerAdapter {

    private final StreamConnection connection;

    FirstBytes(StreamConnection connection) {
        this.connection = connection;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        connection.begun();
        ctx.fireChannelRead(message);
    }
}
