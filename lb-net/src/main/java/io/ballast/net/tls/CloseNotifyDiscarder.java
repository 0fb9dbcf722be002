package io.ballast.net.tls;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/**
 * Drops data that a peer sends after its close_notify. It is placed before the TLS handler, which would
 * buffer the data. Reading continues, so that the end of the connection is detected.
 */
@Sharable
final class CloseNotifyDiscarder extends ChannelInboundHandlerAdapter {

    static final CloseNotifyDiscarder INSTANCE = new CloseNotifyDiscarder();

    private CloseNotifyDiscarder() {}

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ReferenceCountUtil.release(message);
    }
}
