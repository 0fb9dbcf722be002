package io.ballast.dns.net.doh;

import io.ballast.dns.net.stream.StreamConnection;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Detects the start of a request, which the following decoder reports only when the header section is
 * complete. While a response is pending, the next request has no deadline, because its delay is not caused by
 * the client.
 */
final class RequestStartDetector extends ChannelInboundHandlerAdapter {

    private final StreamConnection connection;

    RequestStartDetector(StreamConnection connection) {
        this.connection = connection;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (connection.outstandingCount() == 0) {
            connection.started();
        }
        ctx.fireChannelRead(message);
    }
}
