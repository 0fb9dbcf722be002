package io.ballast.dns.forward.upstream;

import io.ballast.dns.wire.Wire;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Settings;

/** Builds the HTTP/2 handler of a connection, with the limits that apply to its server. */
final class DohCodec extends AbstractHttp2ConnectionHandlerBuilder<DohStreams, DohCodec> {

    /** The window of a stream: one byte more than the longest message, to detect a message that is too long. */
    private static final int STREAM_WINDOW_BYTES = Wire.MAX_MESSAGE_BYTES + 1;

    /** The maximum size of a response's header section. */
    private static final int MAX_HEADER_BYTES = 8 * 1024;

    /** The maximum number of acknowledgements that wait in the queue because the server does not read them. */
    private static final int MAX_QUEUED_CONTROL_FRAMES = 500;

    private final DohConnection connection;
    private final String authority;

    DohCodec(DohConnection connection, String authority) {
        this.connection = connection;
        this.authority = authority;
        server(false);
        initialSettings(new Http2Settings()
                .pushEnabled(false)
                .maxHeaderListSize(MAX_HEADER_BYTES)
                .initialWindowSize(STREAM_WINDOW_BYTES));
        // The encoder queues queries beyond the server's stream limit, because some are sent before the limit is
        // known. The queued queries count toward the limit of outstanding queries.
        encoderEnforceMaxConcurrentStreams(true);
        encoderEnforceMaxQueuedControlFrames(MAX_QUEUED_CONTROL_FRAMES);
        gracefulShutdownTimeoutMillis(0); // not needed: a connection is closed only when no query waits
    }

    @Override
    public DohStreams build() {
        return super.build();
    }

    @Override
    protected DohStreams build(Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
        DohStreams streams = new DohStreams(decoder, encoder, settings, connection, authority);
        decoder.frameListener(streams.listener());
        return streams;
    }
}
