package io.ballast.dns.net;

import io.ballast.dns.answer.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection: messages, each behind its length in two bytes, are answered in the order they come, as many as
 * have arrived. While the client does not take its responses, nothing more is read or answered. What cannot be answered
 * at all ends the connection, and so does silence.
 */
final class TcpConnection extends ChannelInboundHandlerAdapter {

    private static final int LENGTH_BYTES = 2;

    private final AnswerLoop loop;
    private final long idleNanos;
    private @Nullable ByteBuf received;
    private long lastProgressNanos;

    TcpConnection(AnswerLoop loop, Duration idle) {
        this.loop = loop;
        this.idleNanos = idle.toNanos();
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        lastProgressNanos = nanoTime(ctx);
        closeWhenIdle(ctx, idleNanos);
        ctx.fireChannelActive();
    }

    private void closeWhenIdle(ChannelHandlerContext ctx, long delayNanos) {
        var check = ctx.executor().schedule(() -> checkIdle(ctx), delayNanos, TimeUnit.NANOSECONDS);
        ctx.channel().closeFuture().addListener(closed -> check.cancel(/* mayInterruptIfRunning= */ false));
    }

    private void checkIdle(ChannelHandlerContext ctx) {
        long left = lastProgressNanos + idleNanos - nanoTime(ctx);
        if (left > 0) {
            closeWhenIdle(ctx, left);
            return;
        }
        ctx.close();
    }

    /** Consumes the message. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        received = received == null ? in : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), received, in);
        answerReceived(ctx);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            answerReceived(ctx);
            ctx.flush();
        }
    }

    private void answerReceived(ChannelHandlerContext ctx) {
        while (received != null && hasMessage(received) && ctx.channel().isWritable()) {
            if (!answerOne(ctx, received)) {
                ctx.flush();
                ctx.close();
                return;
            }
            if (!received.isReadable()) {
                release();
            }
        }
        ctx.channel().config().setAutoRead(ctx.channel().isWritable());
    }

    private static boolean hasMessage(ByteBuf buffer) {
        return buffer.readableBytes() >= LENGTH_BYTES
                && buffer.readableBytes() - LENGTH_BYTES >= buffer.getUnsignedShort(buffer.readerIndex());
    }

    /** Returns whether the message could be answered. */
    private boolean answerOne(ChannelHandlerContext ctx, ByteBuf buffer) {
        int length = loop.answer(buffer, buffer.readUnsignedShort(), Transport.TCP);
        if (length == 0) {
            return false;
        }
        lastProgressNanos = nanoTime(ctx);
        ByteBuf response = ctx.alloc().directBuffer(LENGTH_BYTES + length);
        ctx.write(response.writeShort(length).writeBytes(loop.response(), 0, length), ctx.voidPromise());
        return true;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        release();
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        loop.failed(cause);
        ctx.close();
    }

    private void release() {
        if (received != null) {
            received.release();
            received = null;
        }
    }

    private static long nanoTime(ChannelHandlerContext ctx) {
        return ctx.executor().ticker().nanoTime();
    }
}
