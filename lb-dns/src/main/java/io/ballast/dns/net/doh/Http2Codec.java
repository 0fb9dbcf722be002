package io.ballast.dns.net.doh;

import io.ballast.dns.net.stream.StreamConnection;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Settings;

/** Builds the handler of an HTTP/2 connection, with the limits that apply to its client. */
final class Http2Codec extends AbstractHttp2ConnectionHandlerBuilder<Http2ConnectionHandler, Http2Codec> {

    /** The maximum number of concurrent streams. RFC 9113 section 6.5.2 recommends at least this value. */
    private static final int MAX_STREAMS = 100;

    /** The maximum number of acknowledgements that wait in the queue because the client does not read them. */
    private static final int MAX_QUEUED_CONTROL_FRAMES = 500;

    /**
     * Maximum number of streams that a client may open and reset within {@link #RESET_SECONDS} ("rapid reset",
     * CVE-2023-44487).
     */
    private static final int MAX_RESETS = 100;

    private static final int RESET_SECONDS = 10;
    private static final long GRACEFUL_SHUTDOWN_MILLIS = 1000;

    private final StreamConnection connection;

    Http2Codec(StreamConnection connection) {
        this.connection = connection;
        server(true);
        // The windows stay at 64 KiB, which is the maximum size of incomplete requests of a connection.
        initialSettings(
                new Http2Settings().maxConcurrentStreams(MAX_STREAMS).maxHeaderListSize(DohRequest.MAX_HEADER_BYTES));
        encoderEnforceMaxQueuedControlFrames(MAX_QUEUED_CONTROL_FRAMES);
        decoderEnforceMaxRstFramesPerWindow(MAX_RESETS, RESET_SECONDS);
        validateRequiredPseudoHeaders(true);
        gracefulShutdownTimeoutMillis(GRACEFUL_SHUTDOWN_MILLIS);
    }

    @Override
    public Http2ConnectionHandler build() {
        return super.build();
    }

    @Override
    protected Http2ConnectionHandler build(
            Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
        Http2Requests requests = new Http2Requests(connection, encoder);
        decoder.frameListener(requests);
        return new Handler(decoder, encoder, settings, connection, requests);
    }

    private static final class Handler extends Http2ConnectionHandler {

        private final StreamConnection connection;
        private final Http2Requests requests;

        Handler(
                Http2ConnectionDecoder decoder,
                Http2ConnectionEncoder encoder,
                Http2Settings settings,
                StreamConnection connection,
                Http2Requests requests) {
            super(decoder, encoder, settings);
            this.connection = connection;
            this.requests = requests;
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
            super.channelReadComplete(ctx);
            requests.onFlushed();
        }

        /**
         * Answers an oversized header section with 431 and resets the stream with NO_ERROR, because the rest of the
         * request is not needed (RFC 9113 section 8.1). After PROTOCOL_ERROR, which Netty sends, a client may discard
         * the response.
         */
        @Override
        protected void onStreamError(
                ChannelHandlerContext ctx, boolean outbound, Throwable cause, Http2Exception.StreamException failure) {
            boolean answered =
                    failure instanceof Http2Exception.HeaderListSizeException tooLarge && tooLarge.duringDecode();
            super.onStreamError(ctx, outbound, cause, answered ? tooLarge(failure) : failure);
        }

        private static Http2Exception.StreamException tooLarge(Http2Exception.StreamException failure) {
            return (Http2Exception.StreamException) Http2Exception.headerListSizeError(
                    failure.streamId(), Http2Error.NO_ERROR, /* onDecode= */ true, "%s", failure.getMessage());
        }

        /** Handles protocol errors of the client as HTTP/2 requires; logs all other errors. */
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
            if (Http2CodecUtil.getEmbeddedHttp2Exception(cause) != null) {
                super.exceptionCaught(ctx, cause);
                return;
            }
            connection.recordError(cause);
            ctx.close();
        }
    }
}
