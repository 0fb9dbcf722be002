package io.ballast.dns.net.stream;

import io.ballast.dns.answer.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import org.jspecify.annotations.Nullable;

/**
 * Messages, each behind its length in two bytes, as TCP and DoT carry them (<a
 * href="https://datatracker.ietf.org/doc/html/rfc7766">RFC 7766</a>). They are answered in the order they come, as many
 * as have arrived. While the client does not take its responses, nothing more is read or answered. What cannot be
 * answered at all ends the connection.
 */
final class FramedMessages extends ChannelInboundHandlerAdapter {

    private static final int LENGTH_BYTES = 2;

    private final StreamConnection connection;
    private final Transport transport;
    private @Nullable ByteBuf received;
    private boolean ended;

    FramedMessages(StreamConnection connection, Transport transport) {
        this.connection = connection;
        this.transport = transport;
    }

    /** TLS has an end of its own, and does not report the one below it. */
    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        ctx.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, transport == Transport.TCP);
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
        boolean writable = ctx.channel().isWritable();
        if (received != null && writable) {
            connection.begun();
        }
        if (ended && writable) {
            finish(ctx);
        }
        ctx.channel().config().setAutoRead(writable);
    }

    private static boolean hasMessage(ByteBuf buffer) {
        return buffer.readableBytes() >= LENGTH_BYTES
                && buffer.readableBytes() - LENGTH_BYTES >= buffer.getUnsignedShort(buffer.readerIndex());
    }

    /** Returns whether the message could be answered. */
    private boolean answerOne(ChannelHandlerContext ctx, ByteBuf buffer) {
        int length = connection.answer(buffer, buffer.readUnsignedShort(), transport);
        if (length == 0) {
            return false;
        }
        connection.answered();
        ByteBuf response = ctx.alloc().directBuffer(LENGTH_BYTES + length);
        ctx.write(response.writeShort(length).writeBytes(connection.response(), 0, length), ctx.voidPromise());
        return true;
    }

    /** The client has said all that it wants to say, which is no reason to keep its answers from it. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent || event instanceof SslCloseCompletionEvent) {
            ended = true;
            answerReceived(ctx);
        }
        ctx.fireUserEventTriggered(event);
    }

    private static void finish(ChannelHandlerContext ctx) {
        ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        connection.failed(cause);
        ctx.close();
    }

    private void release() {
        if (received != null) {
            received.release();
            received = null;
        }
    }
}
