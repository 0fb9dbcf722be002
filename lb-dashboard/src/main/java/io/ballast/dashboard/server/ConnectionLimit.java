package io.ballast.dashboard.server;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Closes connections beyond a number as soon as they arrive. Confined to the server's one event loop. */
@Sharable
final class ConnectionLimit extends ChannelInboundHandlerAdapter {

    private final int most;
    private int open;

    ConnectionLimit(int most) {
        this.most = most;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        open++;
        if (open > most) {
            context.close();
            return;
        }
        context.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        open--;
        context.fireChannelInactive();
    }
}
