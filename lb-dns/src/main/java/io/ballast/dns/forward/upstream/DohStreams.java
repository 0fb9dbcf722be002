package io.ballast.dns.forward.upstream;

import io.ballast.dns.wire.Wire;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpScheme;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.AsciiString;
import io.netty.util.collection.IntObjectHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one connection. Each stream carries a POST request with a query, and a response with a
 * message (<a href="https://datatracker.ietf.org/doc/html/rfc8484#section-4">RFC 8484 section 4</a>).
 *
 * <p>Received body bytes are returned to the flow-control windows when the stream ends, so all incomplete
 * bodies together need at most the connection's window of {@value #WINDOW_BYTES} bytes.
 *
 * <p>Event-loop confined.
 */
final class DohStreams extends Http2ConnectionHandler {

    /** The window of a connection. Long answers in flight share this many bytes; short answers need few bytes. */
    static final int WINDOW_BYTES = 1 << 20;

    /**
     * The maximum stream id on a connection. A connection that reaches it is replaced by a new one, because
     * stream ids are finite.
     */
    private static final int MAX_STREAM_ID = 1 << 30;

    /** The data of a PING has no meaning; only its acknowledgement matters. */
    private static final long PING_DATA = 0;

    private static final AsciiString DNS_MESSAGE_MEDIA_TYPE = AsciiString.cached("application/dns-message");

    private final DohConnection connection;
    private final AsciiString authority;
    private final IntObjectHashMap<OpenStream> streamsByStreamId = new IntObjectHashMap<>();
    private final IntObjectHashMap<OpenStream> streamsByQueryId = new IntObjectHashMap<>();
    private int maxStreams = Integer.MAX_VALUE;
    /** The highest id of a stream that the server processes; the server ignores streams with higher ids. */
    private int lastProcessedStreamId = Integer.MAX_VALUE;

    private @Nullable ChannelHandlerContext context;

    /** @param authority the authority of requests */
    DohStreams(
            Http2ConnectionDecoder decoder,
            Http2ConnectionEncoder encoder,
            Http2Settings settings,
            DohConnection connection,
            String authority) {
        super(decoder, encoder, settings);
        this.connection = connection;
        this.authority = AsciiString.of(authority);
    }

    Frames listener() {
        Frames listener = new Frames();
        connection().addListener(listener);
        return listener;
    }

    /** The stream limit of the server. */
    int maxStreams() {
        return maxStreams;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
        context = ctx;
        super.handlerAdded(ctx);
        decoder()
                .flowController()
                .incrementWindowSize(
                        connection().connectionStream(), WINDOW_BYTES - Http2CodecUtil.DEFAULT_WINDOW_SIZE);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof DohQuery query) {
            sendQuery(ctx, query);
        } else {
            ctx.write(message, promise);
        }
    }

    private void sendQuery(ChannelHandlerContext ctx, DohQuery query) {
        int stream = connection().local().incrementAndGetNextStreamId();
        OpenStream openStream = new OpenStream(query.attempt(), query.id(), stream);
        streamsByStreamId.put(stream, openStream);
        streamsByQueryId.put(query.id(), openStream);
        Http2Headers headers = new DefaultHttp2Headers()
                .method(HttpMethod.POST.asciiName())
                .scheme(HttpScheme.HTTPS.name())
                .authority(authority)
                .path(query.attempt().path())
                .set(HttpHeaderNames.ACCEPT, DNS_MESSAGE_MEDIA_TYPE)
                .set(HttpHeaderNames.CONTENT_TYPE, DNS_MESSAGE_MEDIA_TYPE)
                .setInt(HttpHeaderNames.CONTENT_LENGTH, query.message().readableBytes());
        failOnWriteError(
                openStream, encoder().writeHeaders(ctx, stream, headers, 0, /* endStream= */ false, ctx.newPromise()));
        failOnWriteError(
                openStream,
                encoder().writeData(ctx, stream, query.message(), 0, /* endStream= */ true, ctx.newPromise()));
        if (stream >= MAX_STREAM_ID) {
            connection.retire();
        }
    }

    private void failOnWriteError(OpenStream openStream, ChannelFuture write) {
        write.addListener(done -> {
            if (!done.isSuccess() && remove(openStream)) {
                connection.onRefused(openStream.attempt);
            }
        });
    }

    /** Cancels a pending request; returns whether there is data to flush. */
    boolean cancel(int id) {
        OpenStream openStream = streamsByQueryId.get(id);
        ChannelHandlerContext ctx = context;
        if (openStream == null || ctx == null) {
            return false;
        }
        remove(openStream);
        encoder().writeRstStream(ctx, openStream.streamId, Http2Error.CANCEL.code(), ctx.newPromise());
        return true;
    }

    /** Sends a PING, whose acknowledgement shows that the server is alive. */
    void ping() {
        ChannelHandlerContext ctx = context;
        if (ctx != null) {
            encoder().writePing(ctx, /* ack= */ false, PING_DATA, ctx.newPromise());
        }
    }

    /** Cancels all pending requests. */
    void cancelAll() {
        for (OpenStream openStream : List.copyOf(streamsByStreamId.values())) {
            remove(openStream);
        }
    }

    private boolean remove(OpenStream openStream) {
        streamsByQueryId.remove(openStream.id);
        if (streamsByStreamId.remove(openStream.streamId) == null) {
            return false;
        }
        if (openStream.body != null) {
            openStream.body.release();
            openStream.body = null;
        }
        return true;
    }

    /** An open HTTP/2 stream, which carries a query that waits for its response. */
    private static final class OpenStream {

        final Attempt attempt;
        final int id;
        final int streamId;
        boolean isDnsMessage;
        boolean isRefused;

        @Nullable ByteBuf body;

        OpenStream(Attempt attempt, int id, int stream) {
            this.attempt = attempt;
            this.id = id;
            this.streamId = stream;
        }
    }

    /** Receives the HTTP/2 frames of the server. */
    final class Frames extends Http2EventAdapter {

        @Override
        public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) {
            Long streams = settings.maxConcurrentStreams();
            if (streams != null) {
                maxStreams = (int) Math.min(streams, Integer.MAX_VALUE);
            }
            connection.settingsReceived();
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
                boolean endOfStream) {
            onHeadersRead(ctx, streamId, headers, padding, endOfStream);
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding, boolean endOfStream) {
            OpenStream openStream = streamsByStreamId.get(streamId);
            if (openStream == null) {
                return;
            }
            if (!openStream.isDnsMessage) {
                HttpResponseStatus status = status(headers);
                if (status.codeClass() == HttpStatusClass.INFORMATIONAL && !endOfStream) {
                    return;
                }
                openStream.isDnsMessage = status.equals(HttpResponseStatus.OK) && isDnsMessage(headers);
                if (!openStream.isDnsMessage) {
                    openStream.attempt.fail(AttemptFailure.HTTP); // the failure also cancels the stream
                    return;
                }
            }
            if (endOfStream) {
                finish(openStream);
            }
        }

        private HttpResponseStatus status(Http2Headers headers) {
            CharSequence status = headers.status();
            try {
                return status == null ? HttpResponseStatus.BAD_GATEWAY : HttpResponseStatus.parseLine(status);
            } catch (IllegalArgumentException e) {
                return HttpResponseStatus.BAD_GATEWAY; // the status is not a number
            }
        }

        /** Whether the body is a DNS message. Parameters of the media type are ignored. */
        private boolean isDnsMessage(Http2Headers headers) {
            CharSequence type = headers.get(HttpHeaderNames.CONTENT_TYPE);
            if (type == null || headers.contains(HttpHeaderNames.CONTENT_ENCODING)) {
                return false;
            }
            int end = AsciiString.indexOf(type, ';', 0);
            return DNS_MESSAGE_MEDIA_TYPE.contentEqualsIgnoreCase(
                    AsciiString.trim(end < 0 ? type : type.subSequence(0, end)));
        }

        @Override
        public int onDataRead(ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream) {
            OpenStream openStream = streamsByStreamId.get(streamId);
            int processed = data.readableBytes() + padding;
            if (openStream == null) {
                return processed; // the request has ended, so its response body is dropped
            }
            ByteBuf body = openStream.body == null ? ctx.alloc().buffer(data.readableBytes()) : openStream.body;
            openStream.body = body;
            if (!openStream.isDnsMessage || body.readableBytes() + data.readableBytes() > Wire.MAX_MESSAGE_BYTES) {
                openStream.attempt.fail(AttemptFailure.MALFORMED); // the failure also cancels the stream
                return processed;
            }
            body.writeBytes(data);
            if (endOfStream) {
                finish(openStream);
            }
            return padding;
        }

        private void finish(OpenStream openStream) {
            ByteBuf body = openStream.body;
            openStream.body = null;
            remove(openStream);
            if (body == null) {
                openStream.attempt.fail(AttemptFailure.MALFORMED);
                return;
            }
            try {
                connection.onResponse(openStream.attempt, openStream.id, body);
            } finally {
                body.release();
            }
        }

        /**
         * Records whether the server has not processed the request (RFC 9113 section 8.7); the stream is closed
         * afterwards.
         */
        @Override
        public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) {
            OpenStream openStream = streamsByStreamId.get(streamId);
            if (openStream != null) {
                openStream.isRefused = errorCode == Http2Error.REFUSED_STREAM.code();
            }
        }

        /** Closes the streams with higher ids than the last one that the server processes. */
        @Override
        public void onGoAwayRead(ChannelHandlerContext ctx, int lastStreamId, long errorCode, ByteBuf debugData) {
            lastProcessedStreamId = lastStreamId;
            connection.retire();
        }

        @Override
        public void onStreamClosed(Http2Stream stream) {
            OpenStream openStream = streamsByStreamId.get(stream.id());
            if (openStream == null || !remove(openStream)) {
                return;
            }
            if (openStream.isRefused || openStream.streamId > lastProcessedStreamId) {
                connection.onRefused(openStream.attempt);
            } else {
                openStream.attempt.fail(AttemptFailure.RESET);
            }
        }

        @Override
        public void onPushPromiseRead(
                ChannelHandlerContext ctx, int streamId, int promisedStreamId, Http2Headers headers, int padding)
                throws Http2Exception {
            throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "unexpected server push");
        }
    }
}
