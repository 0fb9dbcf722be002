package io.ballast.dashboard.server;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.IdleStateEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the requests of one connection, one after the other. */
final class Dispatcher extends SimpleChannelInboundHandler<FullHttpRequest> {

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private final Router router;
    private final RequestGuard guard;
    private boolean streaming;

    Dispatcher(Router router, RequestGuard guard) {
        this.router = router;
        this.guard = guard;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest message) {
        if (streaming) {
            context.close();
            return;
        }
        if (message.decoderResult().isFailure()) {
            send(
                    context,
                    Problem.badRequest("the request is not well-formed HTTP").reply(),
                    /* close= */ true);
            return;
        }
        Reply reply = answer(message);
        if (reply instanceof Reply.Full full) {
            send(context, full, /* close= */ false);
        } else if (reply instanceof Reply.Stream stream) {
            begin(context, message, stream);
        }
    }

    private Reply answer(FullHttpRequest message) {
        try {
            guard.check(message.headers());
            return router.route(Request.of(
                    message.method(), message.uri(), message.headers(), ByteBufUtil.getBytes(message.content())));
        } catch (Problem problem) {
            return problem.reply();
        } catch (RuntimeException e) {
            LOG.error("dashboard request failed path={}", message.uri(), e);
            return Problem.of(
                            HttpResponseStatus.INTERNAL_SERVER_ERROR, "the request could not be answered; see the log")
                    .reply();
        }
    }

    private static void send(ChannelHandlerContext context, Reply.Full reply, boolean close) {
        DefaultFullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                reply.status(),
                reply.body(),
                reply.headers(),
                DefaultHttpHeadersFactory.trailersFactory().newHeaders());
        SecurityHeaders.addTo(response.headers());
        if (reply.status().code() != HttpResponseStatus.NOT_MODIFIED.code()) {
            HttpUtil.setContentLength(response, reply.body().readableBytes());
        }
        if (close) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        context.writeAndFlush(response)
                .addListener(close ? ChannelFutureListener.CLOSE : ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    private void begin(ChannelHandlerContext context, FullHttpRequest message, Reply.Stream reply) {
        if (message.method().equals(HttpMethod.HEAD)) {
            send(context, new Reply.Full(HttpResponseStatus.OK, reply.headers(), Unpooled.EMPTY_BUFFER), true);
            return;
        }
        streaming = true;
        DefaultHttpResponse head =
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, reply.headers());
        SecurityHeaders.addTo(head.headers());
        HttpUtil.setTransferEncodingChunked(head, /* chunked= */ true);
        context.writeAndFlush(head).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        reply.started().accept(context.channel());
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent) {
            context.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // Mostly connections that the browser reset; a defect in a handler is logged where it is thrown.
        LOG.debug("dashboard connection closed remote={}", context.channel().remoteAddress(), cause);
        context.close();
    }
}
