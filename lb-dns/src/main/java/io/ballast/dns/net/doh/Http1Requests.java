package io.ballast.dns.net.doh;

import io.ballast.dns.answer.AnswerResult;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.forward.Deferral;
import io.ballast.dns.forward.ReplyPath;
import io.ballast.dns.net.DeferredReply;
import io.ballast.dns.net.stream.StreamConnection;
import io.ballast.dns.stats.DnsCounter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Requests over HTTP/1.1, one after the other. While a response is pending, no more data is read, and data
 * that was already read is queued. A malformed or oversized request ends the connection.
 */
final class Http1Requests extends ChannelInboundHandlerAdapter implements Deferral {

    private final StreamConnection connection;
    /** Data that arrived together with a request whose response is pending. */
    private final Queue<Object> queuedMessages = new ArrayDeque<>(1);

    private @Nullable ChannelHandlerContext context;
    private @Nullable HttpRequest request;
    private @Nullable ByteBuf body;
    private boolean closing;

    Http1Requests(StreamConnection connection) {
        this.connection = connection;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    /** Takes ownership of the message; queues it while a response is pending. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (isWaiting()) {
            queuedMessages.add(message);
            return;
        }
        read(ctx, message);
    }

    /** Whether a response is pending. */
    private boolean isWaiting() {
        return connection.outstandingCount() > 0;
    }

    private void read(ChannelHandlerContext ctx, Object message) {
        try {
            if (message instanceof HttpRequest head && !closing) {
                beginRequest(ctx, head);
            }
            if (message instanceof HttpContent content && request != null && !closing) {
                addContent(ctx, request, content);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void beginRequest(ChannelHandlerContext ctx, HttpRequest head) {
        HttpResponseStatus status = validate(head);
        if (status.equals(HttpResponseStatus.OK)) {
            request = head;
            if (HttpUtil.is100ContinueExpected(head)) {
                ctx.writeAndFlush(new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
            }
            return;
        }
        boolean hasBody = HttpUtil.isTransferEncodingChunked(head) || HttpUtil.getContentLength(head, 0L) > 0;
        fail(
                ctx,
                status,
                HttpUtil.isKeepAlive(head) && !hasBody && head.decoderResult().isSuccess());
    }

    private static HttpResponseStatus validate(HttpRequest head) {
        Throwable broken = head.decoderResult().cause();
        if (broken instanceof TooLongHttpLineException) {
            return HttpResponseStatus.REQUEST_URI_TOO_LONG;
        }
        if (broken instanceof TooLongHttpHeaderException) {
            return HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE;
        }
        boolean hostMissing =
                head.protocolVersion().minorVersion() > 0 && !head.headers().contains(HttpHeaderNames.HOST);
        if (broken != null || hostMissing) {
            return HttpResponseStatus.BAD_REQUEST;
        }
        return DohRequest.validate(
                head.method().asciiName(),
                head.uri(),
                head.headers().get(HttpHeaderNames.CONTENT_TYPE),
                head.headers().get(HttpHeaderNames.CONTENT_ENCODING),
                HttpUtil.getContentLength(head, 0L));
    }

    private void addContent(ChannelHandlerContext ctx, HttpRequest head, HttpContent content) {
        if (content.decoderResult().isFailure()) {
            fail(ctx, HttpResponseStatus.BAD_REQUEST, /* keepAlive= */ false);
            return;
        }
        int length = content.content().readableBytes();
        if (length > 0) {
            body = body == null ? ctx.alloc().buffer(length) : body;
            if (body.readableBytes() + length > DohRequest.MAX_BODY_BYTES) {
                fail(ctx, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, /* keepAlive= */ false);
                return;
            }
            body.writeBytes(content.content());
        }
        if (content instanceof LastHttpContent) {
            answer(ctx, head);
            clearRequest();
        }
    }

    private void answer(ChannelHandlerContext ctx, HttpRequest head) {
        boolean keepAlive = HttpUtil.isKeepAlive(head);
        ByteBuf query = body;
        if (!DohRequest.isPost(head.method().asciiName())) {
            byte[] inTarget = DohRequest.query(head.uri());
            query = inTarget == null ? null : Unpooled.wrappedBuffer(inTarget);
        }
        AnswerResult result = query == null
                ? AnswerResult.NO_RESPONSE
                : connection.answer(query, query.readableBytes(), Transport.DOH, this);
        switch (result) {
            case DEFERRED -> {} // the reply path sends the response
            case NO_RESPONSE -> fail(ctx, HttpResponseStatus.BAD_REQUEST, keepAlive);
            case RESPONSE -> {
                connection.onQueryAnswered();
                send(ctx, connection.response(), connection.responseLength(), keepAlive);
            }
        }
    }

    private void send(ChannelHandlerContext ctx, byte[] message, int length, boolean keepAlive) {
        ByteBuf content = ctx.alloc().buffer(length).writeBytes(message, 0, length);
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, content);
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, DohRequest.MEDIA_TYPE)
                .set(HttpHeaderNames.CACHE_CONTROL, HttpFreshness.cacheControl(message));
        send(ctx, response, keepAlive);
    }

    @Override
    public ReplyPath defer() {
        ChannelHandlerContext ctx = Objects.requireNonNull(context, "the handler is not in a pipeline");
        boolean keepAlive = HttpUtil.isKeepAlive(Objects.requireNonNull(request, "no current request"));
        connection.deferred();
        return new DeferredReply(ctx.channel().eventLoop()) {
            @Override
            protected void writeResponse(byte[] message) {
                sendDeferredReply(ctx, message, keepAlive);
            }
        };
    }

    private void sendDeferredReply(ChannelHandlerContext ctx, byte[] message, boolean keepAlive) {
        connection.onDeferredAnswer();
        if (!ctx.channel().isActive()) {
            return;
        }
        send(ctx, message, message.length, keepAlive);
        for (Object next = queuedMessages.peek(); next != null && !isWaiting(); next = queuedMessages.peek()) {
            queuedMessages.remove();
            read(ctx, next);
        }
        ctx.flush();
        readWhileWritable(ctx);
    }

    private void fail(ChannelHandlerContext ctx, HttpResponseStatus status, boolean keepAlive) {
        connection.count(DnsCounter.HTTP_ERRORS);
        connection.onMessageComplete();
        clearRequest();
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER);
        if (status.equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
            response.headers().set(HttpHeaderNames.ALLOW, DohRequest.ALLOWED_METHODS);
        }
        send(ctx, response, keepAlive);
    }

    private void send(ChannelHandlerContext ctx, FullHttpResponse response, boolean keepAlive) {
        response.headers()
                .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
        HttpUtil.setKeepAlive(response, keepAlive);
        ChannelFuture sent = ctx.write(response);
        if (!keepAlive) {
            closing = true;
            sent.addListener(done -> LingeringClose.closeOutput(ctx.pipeline(), connection));
        }
    }

    private void clearRequest() {
        request = null;
        if (body != null) {
            body.release();
            body = null;
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.flush();
        readWhileWritable(ctx);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        readWhileWritable(ctx);
    }

    /**
     * Reads while the channel is writable and no response is pending. After the last response it always reads,
     * because a channel whose output has been shut down is never writable.
     */
    private void readWhileWritable(ChannelHandlerContext ctx) {
        ctx.channel().config().setAutoRead(closing || (ctx.channel().isWritable() && !isWaiting()));
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        clearRequest();
        queuedMessages.forEach(ReferenceCountUtil::release);
        queuedMessages.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        connection.recordError(cause);
        ctx.close();
    }
}
