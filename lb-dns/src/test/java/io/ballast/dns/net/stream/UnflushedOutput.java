package io.ballast.dns.net.stream;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;

/** Simulates a client that does not read: writes are never flushed. */
final class UnflushedOutput extends ChannelOutboundHandlerAdapter {

    @Override
    public void flush(ChannelHandlerContext ctx) {}
}
