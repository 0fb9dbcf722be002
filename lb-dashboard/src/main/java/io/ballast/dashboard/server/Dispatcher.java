package io.ballast.dashboard.server;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the requests of one connection in order. Up to {@value #MAX_PIPELINED} pipelined requests wait while a
 * response is pending.
 */
final class Dispatcher extends SimpleChannelInboundHandler<FullHttpRequest> {

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    static final int MAX_PIPELINED = 16;

    /** Maximum time for a client to read a long response. */
    static final int DOCUMENT_SECONDS = 60;

    private final Router router;
    private final RequestGuard guard;
    private final Authenticator authenticator;
    private final boolean isSecure;
    private final ConnectionGuard connection;
    private final DocumentLimit documents;
    private final Deque<FullHttpRequest> pendingRequests = new ArrayDeque<>();
    private boolean streaming;
    private boolean awaitingAsyncResponse;
    private @Nullable DocumentTransfer transfer;
    private @Nullable Peer peer;

    Dispatcher(
            Router router,
            RequestGuard guard,
            Authenticator authenticator,
            boolean isSecure,
            ConnectionGuard connection,
            DocumentLimit documents) {
        this.router = router;
        this.guard = guard;
        this.authenticator = authenticator;
        this.isSecure = isSecure;
        this.connection = connection;
        this.documents = documents;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        peer = Peer.of(context.channel(), isSecure); // a closed channel has no addresses
        context.fireChannelActive();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest message) {
        if (streaming || pendingRequests.size() == MAX_PIPELINED) {
            context.close();
            return;
        }
        if (isBusy()) {
            pendingRequests.add(message.retain());
            return;
        }
        serve(context, message);
    }

    private void serve(ChannelHandlerContext context, FullHttpRequest message) {
        connection.beginRequest(context.channel());
        if (message.decoderResult().isFailure()) {
            send(
                    context,
                    HttpProblem.badRequest("the request is not well-formed HTTP")
                            .reply(),
                    /* close= */ true);
            return;
        }
        AdminResponse reply = answer(message);
        if (reply instanceof AdminResponse.Complete full) {
            send(context, full, /* close= */ false);
        } else if (reply instanceof AdminResponse.Streaming stream) {
            begin(context, message, stream);
        } else if (reply instanceof AdminResponse.Chunked document) {
            begin(context, message, document);
        } else if (reply instanceof AdminResponse.Async later) {
            awaitingAsyncResponse = true;
            context.channel().config().setAutoRead(false);
            CompletionStage<Void> unused =
                    later.reply().thenAccept(full -> context.executor().execute(() -> finish(context, full)));
        }
    }

    private void finish(ChannelHandlerContext context, AdminResponse.Complete reply) {
        send(context, reply, /* close= */ false);
        awaitingAsyncResponse = false;
        servePendingRequests(context);
    }

    /** Returns whether a response is pending, so that the next request has to wait. */
    private boolean isBusy() {
        return awaitingAsyncResponse || transfer != null;
    }

    private void servePendingRequests(ChannelHandlerContext context) {
        while (!isBusy() && !pendingRequests.isEmpty()) {
            FullHttpRequest next = pendingRequests.remove();
            try {
                serve(context, next);
            } finally {
                next.release();
            }
        }
        context.channel().config().setAutoRead(!isBusy());
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        pendingRequests.forEach(FullHttpRequest::release);
        pendingRequests.clear();
        context.fireChannelInactive();
    }

    private AdminResponse answer(FullHttpRequest message) {
        try {
            guard.check(message.method(), message.uri(), message.headers());
            Request request = Request.of(
                    message.method(),
                    message.uri(),
                    message.headers(),
                    ByteBufUtil.getBytes(message.content()),
                    requireNonNull(peer, "peer"));
            return router.route(request.withCaller(authenticator.identify(request)));
        } catch (HttpProblem problem) {
            return problem.reply();
        } catch (RuntimeException e) {
            LOG.error("dashboard request failed path={}", message.uri(), e);
            return HttpProblem.internal().reply();
        }
    }

    private void send(ChannelHandlerContext context, AdminResponse.Complete reply, boolean close) {
        DefaultFullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                reply.status(),
                reply.body(),
                reply.headers(),
                DefaultHttpHeadersFactory.trailersFactory().newHeaders());
        if (router.isForBrowsers()) {
            SecurityHeaders.addTo(response.headers());
        }
        if (reply.status().code() != HttpResponseStatus.NOT_MODIFIED.code()) {
            HttpUtil.setContentLength(response, reply.body().readableBytes());
        }
        if (close || connection.isDraining()) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        context.writeAndFlush(response)
                .addListener(done -> connection.endRequest(context.channel()))
                .addListener(close ? ChannelFutureListener.CLOSE : ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    private void begin(ChannelHandlerContext context, FullHttpRequest message, AdminResponse.Streaming reply) {
        if (message.method().equals(HttpMethod.HEAD)) {
            send(
                    context,
                    new AdminResponse.Complete(HttpResponseStatus.OK, reply.headers(), Unpooled.EMPTY_BUFFER),
                    true);
            return;
        }
        streaming = true;
        DefaultHttpResponse head =
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, reply.headers());
        SecurityHeaders.addTo(head.headers());
        HttpUtil.setTransferEncodingChunked(head, /* chunked= */ true);
        context.writeAndFlush(head).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        reply.onStart().accept(context.channel());
    }

    private void begin(ChannelHandlerContext context, FullHttpRequest message, AdminResponse.Chunked reply) {
        if (message.method().equals(HttpMethod.HEAD)) {
            reply.document().close();
            send(
                    context,
                    new AdminResponse.Complete(HttpResponseStatus.OK, reply.headers(), Unpooled.EMPTY_BUFFER),
                    false);
            return;
        }
        if (!documents.tryAcquire()) {
            reply.document().close();
            send(context, tooManyDocuments(), /* close= */ false);
            return;
        }
        boolean gzip = Request.acceptsGzip(message.headers());
        Document document = gzip ? new GzipDocument(reply.document(), context.alloc()) : reply.document();
        if (gzip) {
            reply.headers().set(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP);
        }
        ByteBuf first = context.alloc().ioBuffer(2 * Document.PIECE_BYTES);
        boolean more;
        try {
            more = document.writePiece(first);
        } catch (RuntimeException e) {
            LOG.error("dashboard request failed path={}", message.uri(), e);
            first.release();
            document.close();
            documents.release();
            context.close();
            return;
        }
        if (!more) {
            document.close();
            documents.release();
            send(
                    context,
                    new AdminResponse.Complete(HttpResponseStatus.OK, reply.headers(), first),
                    /* close= */ false);
            return;
        }
        transfer(context, message, reply, document, first);
    }

    private void transfer(
            ChannelHandlerContext context,
            FullHttpRequest message,
            AdminResponse.Chunked reply,
            Document document,
            ByteBuf first) {
        Channel channel = context.channel();
        channel.config().setAutoRead(false); // The next request is read after this response
        DefaultHttpResponse head =
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, reply.headers());
        SecurityHeaders.addTo(head.headers());
        if (message.protocolVersion()
                .isKeepAliveDefault()) { // HTTP/1.0 has no chunked encoding: the end of the connection ends the body
            HttpUtil.setTransferEncodingChunked(head, /* chunked= */ true);
        }
        context.write(head);
        transfer = new DocumentTransfer(channel, document, first, DOCUMENT_SECONDS, () -> {
            transfer = null;
            documents.release();
            connection.endRequest(channel);
            if (channel.isActive()) {
                servePendingRequests(context);
            }
        });
        transfer.sendNextPiece();
    }

    private static AdminResponse.Complete tooManyDocuments() {
        return HttpProblem.of(
                        HttpResponseStatus.SERVICE_UNAVAILABLE,
                        "too many long responses are being sent; try again in a moment")
                .reply()
                .with(HttpHeaderNames.RETRY_AFTER, "1");
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        DocumentTransfer current = transfer;
        if (current != null) {
            current.sendNextPiece();
        }
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent
                && !awaitingAsyncResponse) { // a reload may take longer than the idle timeout
            context.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // The cause is usually a reset by the browser. Errors of handlers are logged elsewhere.
        LOG.debug("dashboard connection closed remote={}", context.channel().remoteAddress(), cause);
        context.close();
    }
}
