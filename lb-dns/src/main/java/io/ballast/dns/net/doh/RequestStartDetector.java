package io.ballast.dns.net.doh;

import io.ballast.dns.net.stream.StreamConnection;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Detects the start of a request, which the following decoder reports only when its head is complete. A request that
 * waits for the answer to the one before it is not the client's to hurry.
 */
final class RequestStartDetector extends ChannelInboundHandlerAdapter {

    private final StreamConnection connection;

    RequestStartDetector(StreamConnection connection) {
        this.connection = connection;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (connection.outstanding() == 0) {
            connection.started();
        }
        ctx.fireChannelRead(message);
    }
}
