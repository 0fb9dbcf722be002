package io.ballast.dns.net.stream;

import io.ballast.dns.answer.Transport;
import io.ballast.dns.forward.Deferral;
import io.ballast.dns.forward.NextPart;
import io.ballast.dns.forward.ReplyPath;
import io.ballast.dns.net.DeferredFlush;
import io.ballast.dns.net.DeferredReply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages of TCP and DoT, each preceded by its length in two bytes (<a
 * href="https://datatracker.ietf.org/doc/html/rfc7766">RFC 7766</a>). They are answered in order; deferred
 * answers do not delay other answers (section 6.2.1.1). While the client does not read its responses, or
 * {@value #MAX_DEFERRED} answers are pending, nothing more is read or answered. A message that cannot be
 * answered ends the connection, after earlier messages have been answered.
 */
final class FramedMessages extends ChannelInboundHandlerAdapter implements Deferral {

    /**
     * Limit of pending answers of a connection. It bounds the memory that one client can use by not reading its
     * responses.
     */
    static final int MAX_DEFERRED = 100;

    private static final int LENGTH_BYTES = 2;

    private final StreamConnection connection;
    private final Transport transport;
    private @Nullable ChannelHandlerContext context;
    private @Nullable DeferredFlush lateFlush;
    private @Nullable ByteBuf received;
    /**
     * Multi-message responses that wait until the client has read their previous message; at most {@value
     * #MAX_DEFERRED}.
     */
    private final List<NextPart> nextParts = new ArrayList<>(1);
    /** Whether the client has closed its output. */
    private boolean isInputEnded;
    /** Whether data that the client still sends is dropped without being parsed. */
    private boolean isInputIgnored;

    FramedMessages(StreamConnection connection, Transport transport) {
        this.connection = connection;
        this.transport = transport;
    }

    /**
     * Enables half-closure for TCP only, because TLS reports the end of its own stream, not the end of the
     * underlying connection.
     */
    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        lateFlush = new DeferredFlush(ctx.channel());
        ctx.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, transport == Transport.TCP);
    }

    /** Takes ownership of the message, and answers the queries that are now complete. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (isInputIgnored) {
            in.release();
            return;
        }
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
            notifyNextParts(NextPart::onReady);
        }
    }

    private void answerReceived(ChannelHandlerContext ctx) {
        while (received != null && hasMessage(received) && canAnswer(ctx)) {
            if (!answerNextMessage(ctx, received)) {
                isInputIgnored = true;
                isInputEnded = true;
                release();
            } else if (!received.isReadable()) {
                release();
            }
        }
        if (received != null && canAnswer(ctx)) {
            connection.started();
        }
        if (isInputEnded && connection.outstandingCount() == 0 && ctx.channel().isWritable()) {
            flushAndClose(ctx);
        }
        ctx.channel().config().setAutoRead(!isInputIgnored && canAnswer(ctx));
    }

    private boolean canAnswer(ChannelHandlerContext ctx) {
        return ctx.channel().isWritable() && connection.outstandingCount() < MAX_DEFERRED;
    }

    private static boolean hasMessage(ByteBuf buffer) {
        return buffer.readableBytes() >= LENGTH_BYTES
                && buffer.readableBytes() - LENGTH_BYTES >= buffer.getUnsignedShort(buffer.readerIndex());
    }

    /** Returns whether the message was answered or its answer is deferred. */
    private boolean answerNextMessage(ChannelHandlerContext ctx, ByteBuf buffer) {
        return switch (connection.answer(buffer, buffer.readUnsignedShort(), transport, this)) {
            case DEFERRED -> true;
            case NO_RESPONSE -> false;
            case RESPONSE -> {
                connection.onQueryAnswered();
                write(ctx, connection.response(), connection.responseLength());
                yield true;
            }
        };
    }

    private static void write(ChannelHandlerContext ctx, byte[] message, int length) {
        ByteBuf response = ctx.alloc().directBuffer(LENGTH_BYTES + length);
        ctx.write(response.writeShort(length).writeBytes(message, 0, length), ctx.voidPromise());
    }

    @Override
    public ReplyPath defer() {
        ChannelHandlerContext ctx = Objects.requireNonNull(context, "the handler is not in a pipeline");
        connection.deferred();
        return new Reply(ctx);
    }

    /** The reply path over this connection. */
    private final class Reply extends DeferredReply {

        private final ChannelHandlerContext ctx;

        Reply(ChannelHandlerContext ctx) {
            super(ctx.channel().eventLoop());
            this.ctx = ctx;
        }

        @Override
        protected void writeResponse(byte[] message) {
            sendDeferredReply(ctx, message);
        }

        @Override
        public void sendPart(byte[] response, int length, NextPart next) {
            byte[] part = Arrays.copyOf(response, length);
            try {
                ctx.channel().eventLoop().execute(() -> writePart(ctx, part, next));
            } catch (RejectedExecutionException e) {
                next.onClosed();
            }
        }
    }

    /**
     * Writes one message of a response. The response continues only after this message was written, so that at
     * most one message of each response is queued.
     */
    private void writePart(ChannelHandlerContext ctx, byte[] message, NextPart next) {
        if (!ctx.channel().isActive() || ctx.isRemoved()) {
            next.onClosed();
            return;
        }
        write(ctx, message, message.length);
        ctx.flush();
        if (ctx.channel().isWritable()) {
            next.onReady();
        } else {
            nextParts.add(next);
        }
    }

    /**
     * Invokes the callbacks of all waiting multi-message responses. The callbacks may write immediately and
     * fill the connection again.
     */
    private void notifyNextParts(Consumer<NextPart> how) {
        List<NextPart> waiting = List.copyOf(nextParts);
        nextParts.clear();
        waiting.forEach(how);
    }

    private void sendDeferredReply(ChannelHandlerContext ctx, byte[] message) {
        connection.onDeferredAnswer();
        if (!ctx.channel().isActive()) {
            return;
        }
        write(ctx, message, message.length);
        Objects.requireNonNull(lateFlush, "the handler is not in a pipeline").schedule();
        answerReceived(ctx);
    }

    /** Handles the end of the client's output; pending answers are still sent. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent || event instanceof SslCloseCompletionEvent) {
            isInputEnded = true;
            answerReceived(ctx);
        }
        ctx.fireUserEventTriggered(event);
    }

    private static void flushAndClose(ChannelHandlerContext ctx) {
        ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        release();
        notifyNextParts(NextPart::onClosed);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        connection.recordError(cause);
        ctx.close();
    }

    private void release() {
        if (received != null) {
            received.release();
            received = null;
        }
    }
}
