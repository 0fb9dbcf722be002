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
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Connection.PropertyKey;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Requests over HTTP/2, each on its own stream.
 *
 * <p>Body bytes are returned to the flow-control windows only when their stream ends, so the connection's
 * window limits all incomplete bodies together. Responses that wait for the client's windows are limited
 * too. Above this limit, new requests are refused before they are processed. A request with a deferred
 * answer keeps its stream open, so it counts toward the stream limit.
 */
final class Http2Requests extends Http2EventAdapter implements Deferral {

    private static final int MAX_WAITING_BYTES = 256 * 1024;

    private final StreamConnection connection;
    private final Http2ConnectionEncoder encoder;
    private final PropertyKey requestKey;
    private final PropertyKey responseKey;
    private int unfinishedCount;
    private int waitingBytes;
    // The context of the current request.
    private @Nullable ChannelHandlerContext context;
    private int currentStreamId;
    private boolean isFlushScheduled;

    Http2Requests(StreamConnection connection, Http2ConnectionEncoder encoder) {
        this.connection = connection;
        this.encoder = encoder;
        this.requestKey = encoder.connection().newKey();
        this.responseKey = encoder.connection().newKey();
        encoder.connection().addListener(this);
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext ctx,
            int streamId,
            Http2Headers headers,
            int streamDependency,
            short weight,
            boolean exclusive,
            int padding,
            boolean endOfStream)
            throws Http2Exception {
        onHeadersRead(ctx, streamId, headers, padding, endOfStream);
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding, boolean endOfStream)
            throws Http2Exception {
        Http2Stream stream = encoder.connection().stream(streamId);
        Unfinished request = stream.getProperty(requestKey);
        if (request != null) {
            answer(ctx, stream, request.query()); // Trailers are irrelevant, but they end the request.
            return;
        }
        if (waitingBytes > MAX_WAITING_BYTES) {
            throw Http2Exception.streamError(streamId, Http2Error.REFUSED_STREAM, "too many responses are queued");
        }
        HttpResponseStatus status = DohRequest.validate(
                headers.method(),
                headers.path(),
                headers.get(HttpHeaderNames.CONTENT_TYPE),
                headers.get(HttpHeaderNames.CONTENT_ENCODING),
                headers.getLong(HttpHeaderNames.CONTENT_LENGTH, 0L));
        if (!status.equals(HttpResponseStatus.OK)) {
            fail(ctx, stream, status, endOfStream);
        } else if (DohRequest.isPost(headers.method())) {
            beginRequest(ctx, stream, new Unfinished(ctx.alloc().buffer(), /* takesBody= */ true), endOfStream);
        } else {
            byte[] query = DohRequest.query(headers.path());
            ByteBuf found = query == null ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(query);
            beginRequest(ctx, stream, new Unfinished(found, /* takesBody= */ false), endOfStream);
        }
    }

    /** Each request is answered at its end of stream: some clients end a GET with an empty DATA frame. */
    private void beginRequest(ChannelHandlerContext ctx, Http2Stream stream, Unfinished request, boolean endOfStream) {
        stream.setProperty(requestKey, request);
        unfinishedCount++;
        if (endOfStream) {
            answer(ctx, stream, request.query());
        } else {
            connection.started();
        }
    }

    @Override
    public int onDataRead(ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream) {
        Http2Stream stream = encoder.connection().stream(streamId);
        Unfinished request = stream == null ? null : stream.getProperty(requestKey);
        int processed = data.readableBytes() + padding;
        if (request == null) {
            return processed; // The request has already been answered.
        }
        if (request.takesBody()) {
            if (request.query().readableBytes() + data.readableBytes() > DohRequest.MAX_BODY_BYTES) {
                fail(ctx, stream, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, endOfStream);
                return processed;
            }
            request.query().writeBytes(data);
            processed = padding;
        }
        if (endOfStream) {
            answer(ctx, stream, request.query());
        }
        return processed;
    }

    /** Answers a complete request. The caller keeps ownership of {@code query}. */
    private void answer(ChannelHandlerContext ctx, Http2Stream stream, ByteBuf query) {
        context = ctx;
        currentStreamId = stream.id();
        AnswerResult result = query.isReadable()
                ? connection.answer(query, query.readableBytes(), Transport.DOH, this)
                : AnswerResult.NO_RESPONSE;
        switch (result) {
            case NO_RESPONSE -> fail(ctx, stream, HttpResponseStatus.BAD_REQUEST, /* isComplete= */ true);
            case DEFERRED -> {
                removeRequest(stream);
                keepTimeoutRunning();
            }
            case RESPONSE -> {
                removeRequest(stream);
                onQueryAnswered();
                respond(ctx, stream, connection.response(), connection.responseLength());
            }
        }
    }

    private void respond(ChannelHandlerContext ctx, Http2Stream stream, byte[] message, int length) {
        Http2Headers headers = new DefaultHttp2Headers()
                .status(HttpResponseStatus.OK.codeAsText())
                .set(HttpHeaderNames.CONTENT_TYPE, DohRequest.MEDIA_TYPE)
                .setInt(HttpHeaderNames.CONTENT_LENGTH, length)
                .set(HttpHeaderNames.CACHE_CONTROL, HttpFreshness.cacheControl(message));
        ByteBuf content = ctx.alloc().buffer(length).writeBytes(message, 0, length);
        stream.setProperty(responseKey, length);
        waitingBytes += length;
        encoder.writeHeaders(ctx, stream.id(), headers, 0, /* endStream= */ false, ctx.newPromise());
        encoder.writeData(ctx, stream.id(), content, 0, /* endStream= */ true, ctx.newPromise());
    }

    @Override
    public ReplyPath defer() {
        ChannelHandlerContext ctx = Objects.requireNonNull(context, "no current request");
        int streamId = currentStreamId;
        connection.deferred();
        return new DeferredReply(ctx.channel().eventLoop()) {
            @Override
            protected void writeResponse(byte[] message) {
                sendDeferredReply(ctx, streamId, message);
            }
        };
    }

    private void sendDeferredReply(ChannelHandlerContext ctx, int streamId, byte[] message) {
        connection.onDeferredAnswer();
        Http2Stream stream = encoder.connection().stream(streamId);
        if (!ctx.channel().isActive() || stream == null || !stream.state().localSideOpen()) {
            return; // The client has reset the stream or disconnected.
        }
        respond(ctx, stream, message, message.length);
        if (!isFlushScheduled) {
            isFlushScheduled = true;
            ctx.executor().execute(() -> flush(ctx));
        }
    }

    private void flush(ChannelHandlerContext ctx) {
        isFlushScheduled = false;
        ctx.pipeline().flush();
        onFlushed();
    }

    private void fail(ChannelHandlerContext ctx, Http2Stream stream, HttpResponseStatus status, boolean isComplete) {
        connection.count(DnsCounter.HTTP_ERRORS);
        removeRequest(stream);
        Http2Headers headers =
                new DefaultHttp2Headers().status(status.codeAsText()).setInt(HttpHeaderNames.CONTENT_LENGTH, 0);
        if (status.equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
            headers.set(HttpHeaderNames.ALLOW, DohRequest.ALLOWED_METHODS);
        }
        encoder.writeHeaders(ctx, stream.id(), headers, 0, /* endStream= */ true, ctx.newPromise());
        if (!isComplete) {
            // The rest of the request is not needed (RFC 9113 section 8.1).
            encoder.writeRstStream(ctx, stream.id(), Http2Error.NO_ERROR.code(), ctx.newPromise());
        }
    }

    private void onQueryAnswered() {
        connection.onQueryAnswered();
        keepTimeoutRunning();
    }

    /** Keeps the timeout of the connection running while requests are incomplete. */
    private void keepTimeoutRunning() {
        if (unfinishedCount > 0) {
            connection.started();
        }
    }

    /** Called when all data that the client's windows allow has been sent. */
    void onFlushed() {
        connection.blocked(waitingBytes > 0);
    }

    /**
     * Removes an ended stream. If its response was complete, the client reads responses, so the client does not
     * count as blocked.
     */
    @Override
    public void onStreamClosed(Http2Stream stream) {
        removeRequest(stream);
        Integer response = stream.removeProperty(responseKey);
        if (response != null) {
            waitingBytes -= response;
            connection.blocked(false);
        }
    }

    private void removeRequest(Http2Stream stream) {
        Unfinished request = stream.removeProperty(requestKey);
        if (request != null) {
            request.query().release();
            unfinishedCount--;
            if (unfinishedCount == 0) {
                connection.onMessageComplete();
            }
        }
    }

    /**
     * A request whose stream has not ended yet.
     *
     * @param query the received part of the query
     * @param takesBody whether the body contains the query; otherwise the body is ignored
     */
    private record Unfinished(ByteBuf query, boolean takesBody) {}
}
