package io.ballast.http.h2.client;

import io.ballast.http.h2.flow.StreamOutput;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.header.HeaderEdits;
import io.ballast.http.octets.OctetBuffer;
import io.ballast.http.relay.Failure;
import io.ballast.http.serving.ExchangeEdits;
import io.ballast.http.serving.RequestState;
import io.ballast.http.serving.ResponseOutput;
import io.netty.buffer.ByteBuf;

/** What the balancer answers itself on a stream: composed in the notation of HTTP/1.1, sent in frames. Event-loop confined. */
final class OwnResponse implements ResponseOutput {

    private final Http2Connection connection;
    private final Http2Loop loop;
    private final RequestState served;
    private final ExchangeEdits edits;
    private final StreamOutput response;
    private final StreamDeadline deadline;

    OwnResponse(
            Http2Connection connection,
            RequestState served,
            ExchangeEdits edits,
            StreamOutput response,
            StreamDeadline deadline) {
        this.connection = connection;
        this.loop = connection.loop();
        this.served = served;
        this.edits = edits;
        this.response = response;
        this.deadline = deadline;
    }

    @Override
    public void write(ByteBuf whole) {
        int headBytes = served.responseHeadBytes();
        byte[] bytes = loop.bytes(headBytes + OctetBuffer.SLACK);
        whole.readBytes(bytes, 0, headBytes);
        loop.response.scan(bytes, headBytes, Http2Connection.OWN_LIMITS);
        loop.encoder.encode(loop.response, HeaderEdits.NONE, edits, loop.worker.date(), loop.block);
        boolean hasBody = whole.isReadable();
        response.head(loop.block, hasBody ? BodyFraming.LENGTH : BodyFraming.NONE, whole.readableBytes());
        served.responseHead((int) response.sentBytes());
        deadline.answered();
        if (hasBody) {
            response.add(whole);
            deadline.responseMoved();
        } else {
            whole.release();
        }
        response.end();
        flush();
    }

    /** Tells a caller of gRPC, in trailers only, that there is no answer. */
    void grpc(Failure failure) {
        GrpcFailure.compose(failure, loop.block);
        served.answered(GrpcFailure.STATUS);
        response.head(loop.block, BodyFraming.NONE, 0);
        flush();
    }

    @Override
    public void flush() {
        connection.frames().flushSoon();
    }

    @Override
    public long queuedBytes() {
        return response.sentBytes() + response.heldBytes();
    }
}
