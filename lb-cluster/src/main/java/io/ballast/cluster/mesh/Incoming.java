package io.ballast.cluster.mesh;

import io.ballast.core.ErrorText;
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

/**
 * A connection that another node dialed. It replaces an older connection of the same node when its first message after
 * the greeting arrives: before that, the other node may close the new connection, because it may already be connected
 * to this node. Confined to the mesh thread.
 */
final class Incoming extends SimpleChannelInboundHandler<ByteBuf> {

    private final Greeting greeting;
    private final Roster roster;
    private @Nullable ClusterNode peer;
    private boolean isAccepted;

    Incoming(Greeting greeting, Roster roster) {
        this.greeting = greeting;
        this.roster = roster;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            greeting.handshakeFailed(ctx.channel().remoteAddress(), handshake.cause());
            ctx.close();
        } else if (event instanceof IdleStateEvent) {
            ctx.close();
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf frame) {
        int kind = frame.readUnsignedByte();
        ClusterNode sender = peer;
        if (sender == null) {
            greet(ctx, kind, frame);
            return;
        }
        if (!isAccepted) {
            isAccepted = true;
            roster.accepted(sender, ctx.channel());
        }
        if (kind == Frames.PING) {
            ctx.writeAndFlush(Frames.frame(ctx.channel(), Frames.PONG, ByteBufUtil.getBytes(frame)));
        } else if (kind == Frames.ADDRESSES) {
            roster.learn(frame);
        } else if (kind >= Frames.FIRST_USER_KIND) {
            roster.listeners().received(sender, kind, ByteBufUtil.getBytes(frame));
        }
    }

    private void greet(ChannelHandlerContext ctx, int kind, ByteBuf frame) {
        if (kind != Frames.HELLO) {
            ctx.close();
            return;
        }
        try {
            peer = greeting.read(frame, ctx.pipeline());
            Frames.widen(ctx.pipeline());
            ctx.writeAndFlush(Frames.frame(ctx.channel(), Frames.HELLO, greeting.own()));
        } catch (RefusedPeerException e) {
            if (e.isSelf()) {
                ctx.writeAndFlush(Frames.frame(ctx.channel(), Frames.HELLO, greeting.own()))
                        .addListener(ChannelFutureListener.CLOSE);
            } else {
                ByteBuf reason = Unpooled.copiedBuffer(ErrorText.of(e), StandardCharsets.UTF_8);
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
