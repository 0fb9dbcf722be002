package io.ballast.cluster.mesh;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.timeout.IdleStateEvent;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A connection that another node has opened. Confined to the mesh thread. */
final class Incoming extends SimpleChannelInboundHandler<ByteBuf> {

    private final Greeting greeting;
    private final Roster roster;
    private @Nullable ClusterNode peer;

    Incoming(Greeting greeting, Roster roster) {
        this.greeting = greeting;
        this.roster = roster;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            greeting.counters().countFailedHandshake();
            greeting.log(ctx.channel().remoteAddress() + ": TLS handshake: "
                    + handshake.cause().getMessage());
            ctx.close();
        } else if (event instanceof IdleStateEvent) {
            ctx.close();
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf frame) {
        int kind = frame.readUnsignedByte();
        if (peer == null) {
            greet(ctx, kind, frame);
        } else if (kind == Frames.PING) {
            ctx.writeAndFlush(Frames.frame(ctx.channel(), Frames.PONG, ByteBufUtil.getBytes(frame)));
        } else if (kind == Frames.ADDRESSES) {
            roster.learn(frame);
        } else if (kind >= Frames.FIRST_USER_KIND) {
            roster.listeners().received(peer, kind, ByteBufUtil.getBytes(frame));
        }
    }

    private void greet(ChannelHandlerContext ctx, int kind, ByteBuf frame) {
        if (kind != Frames.HELLO) {
            ctx.close();
            return;
        }
        try {
            ClusterNode sender = greeting.read(frame, ctx.pipeline());
            peer = sender;
            Frames.widen(ctx.pipeline());
            ctx.writeAndFlush(Frames.frame(ctx.channel(), Frames.HELLO, greeting.own()));
            roster.accepted(sender, ctx.channel());
        } catch (RefusedPeerException e) {
            if (e.isSelf()) {
                ctx.writeAndFlush(Frames.frame(ctx.channel(), Frames.HELLO, greeting.own()))
                        .addListener(ChannelFutureListener.CLOSE);
            } else {
                ByteBuf reason = Unpooled.copiedBuffer(e.getMessage(), StandardCharsets.UTF_8);
                ctx.writeAndFlush(Frames.frame(ctx.channel(), Frames.REFUSAL, reason))
                        .addListener(ChannelFutureListener.CLOSE);
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (peer != null) {
            roster.lost(peer, ctx.channel());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof DecoderException && peer == null) {
            greeting.counters().countRefused();
        }
        ctx.close();
    }
}
