package io.ballast.dns.net.stream;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;

/** Stands for a client that takes nothing: what is written is never flushed. */
final class HeldOutput extends ChannelOutboundHandlerAdapter {

    @Override
    public void flush(ChannelHandlerContext ctx) {}
}
