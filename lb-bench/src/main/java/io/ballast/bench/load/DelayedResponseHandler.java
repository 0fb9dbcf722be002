package io.ballast.bench.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Answers the requests of one connection, each after the configured delay. The path {@code /served} returns
 * the number of responses on all connections, without a delay. Event-loop confined.
 */
final class DelayedResponseHandler extends ChannelInboundHandlerAdapter {

    private static final String COUNT_PATH = "/served";

    private final Duration delay;
    private final AtomicLong served;
    private final WorkSlots slots;
    private boolean isCountRequest;

    /** @param slots limits the requests that are delayed at the same time */
    DelayedResponseHandler(Duration delay, AtomicLong served, WorkSlots slots) {
        this.delay = delay;
        this.served = served;
        this.slots = slots;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request) {
            isCountRequest = request.uri().equals(COUNT_PATH);
        }
        if (message instanceof LastHttpContent) {
            answer(context);
        }
        ReferenceCountUtil.release(message);
    }

    private void answer(ChannelHandlerContext context) {
        if (isCountRequest) {
            send(context, Long.toString(served.get()));
            return;
        }
        served.incrementAndGet();
        if (delay.isZero()) {
            send(context, "ok\n");
            return;
        }
        slots.run(() -> context.executor().schedule(() -> finish(context), delay.toNanos(), TimeUnit.NANOSECONDS));
    }

    private void finish(ChannelHandlerContext context) {
        send(context, "ok\n");
        slots.release();
    }

    private static void send(ChannelHandlerContext context, String text) {
        ByteBuf body = ByteBufUtil.writeAscii(context.alloc(), text);
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        context.writeAndFlush(response, context.voidPromise());
    }

    /**
     * Closes the connection. Errors, such as a disconnected client, are not reported: the harness compares the
     * counts of both sides.
     */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
