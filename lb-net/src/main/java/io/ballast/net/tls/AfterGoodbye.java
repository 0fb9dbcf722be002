package io.ballast.net.tls;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/**
 * Drops what a peer sends after its goodbye, in front of TLS, which would gather it. Reading goes on, so that the end of the
 * connection is seen.
 */
@Sharable
final class AfterGoodbye extends ChannelInboundHandlerAdapter {

    static final AfterGoodbye INSTANCE = new AfterGoodbye();

    private AfterGoodbye() {}

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ReferenceCountUtil.release(message);
    }
}
