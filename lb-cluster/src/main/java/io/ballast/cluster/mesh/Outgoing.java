package io.ballast.cluster.mesh;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection that this node has opened to send messages to one other node. {@link #send} may be called by any thread;
 * all other methods are confined to the mesh thread.
 */
final class Outgoing extends SimpleChannelInboundHandler<ByteBuf> {

    static final int MAX_BACKLOG_BYTES = 8 << 20;
    static final WriteBufferWaterMark BACKLOG = new WriteBufferWaterMark(MAX_BACKLOG_BYTES / 2, MAX_BACKLOG_BYTES);

    private static final long TICK_MILLIS = 1000;
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(4);

    /**
     * With more connections than this, a node sends pings half as often, and waits longer before it closes a silent
     * connection.
     */
    private static final int MANY = 16;

    private final Greeting greeting;
    private final Dialer dialer;
    private @Nullable ScheduledFuture<?> pings;
    private volatile @Nullable ChannelHandlerContext context;
    private volatile @Nullable ClusterNode peer;
    private volatile long roundTripNanos;
    private long heardNanos;
    private int ticks;

    Outgoing(Greeting greeting, Dialer dialer) {
        this.greeting = greeting;
        this.dialer = dialer;
    }

    /** The node at the other end. May only be called after the handshake. */
    ClusterNode peer() {
        ClusterNode known = peer;
        if (known == null) {
            throw new IllegalStateException("the node is not known yet");
        }
        return known;
    }

    long roundTripNanos() {
        return roundTripNanos;
    }

    boolean send(int kind, byte[] message) {
        ChannelHandlerContext current = context;
        if (current == null || !current.channel().isActive()) {
            return false;
        }
        if (!current.channel().isWritable()) {
            greeting.counters().countDropped();
            return false;
        }
        current.writeAndFlush(Frames.frame(current.channel(), kind, message), current.voidPromise());
        return true;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (!(event instanceof SslHandshakeCompletionEvent handshake)) {
            return;
        }
        if (handshake.isSuccess()) {
            ctx.writeAndFlush(Frames.frame(ctx.channel(), Frames.HELLO, greeting.own()));
        } else {
            greeting.handshakeFailed(ctx.channel().remoteAddress(), handshake.cause());
            ctx.close();
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf frame) {
        int kind = frame.readUnsignedByte();
        if (kind == Frames.REFUSAL) {
            greeting.refused(
                    ctx.channel().remoteAddress(),
                    "the other node refuses this one: " + frame.toString(StandardCharsets.UTF_8));
            ctx.close();
        } else if (kind == Frames.HELLO && peer == null) {
            greet(ctx, frame);
        } else if (kind == Frames.PONG && frame.readableBytes() == Long.BYTES) {
            heardNanos = System.nanoTime();
            roundTripNanos = heardNanos - frame.readLong();
        }
    }

    private void greet(ChannelHandlerContext ctx, ByteBuf frame) {
        try {
            peer = greeting.read(frame, ctx.pipeline());
        } catch (RefusedPeerException e) {
            if (e.isSelf()) {
                dialer.stop();
            }
            ctx.close();
            return;
        }
        heardNanos = System.nanoTime();
        pings = ctx.executor().scheduleAtFixedRate(() -> ping(ctx), 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
        dialer.ready(this);
    }

    private void ping(ChannelHandlerContext ctx) {
        long now = System.nanoTime();
        boolean many = dialer.connections() > MANY;
        ticks++;
        if (now - heardNanos > (many ? SILENCE_NANOS * 3 / 2 : SILENCE_NANOS)) {
            ctx.close();
        } else if (!many || ticks % 2 == 0) {
            ctx.writeAndFlush(Frames.frame(ctx.channel(), Frames.PING, ByteBufUtil.getBytes(Unpooled.copyLong(now))));
        }
    }

    void close() {
        ChannelHandlerContext current = context;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (pings != null) {
            pings.cancel(/* mayInterruptIfRunning= */ false);
        }
        dialer.lost(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
