package io.ballast.http.multiplex;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.h2.wire.HeaderLinesEncoder;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.header.CompiledHeaderChanges;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.relay.Failure;
import io.ballast.http.serving.HeaderContext;
import io.ballast.http.serving.RequestState;
import io.ballast.http.serving.ResponseOutput;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Sends responses that the balancer generates itself. They are composed as HTTP/1.1 and sent as frames.
 * Event-loop confined.
 */
final class LocalStreamResponse implements ResponseOutput {

    /** Limits for the heads of responses that the load balancer itself generates. */
    private static final HeadLimits GENERATED_HEAD_LIMITS = new HeadLimits(64 * 1024, 64 * 1024, 64 * 1024, 1000);

    private final MultiplexedConnection connection;
    private final MultiplexLoop loop;
    private final RequestState requestState;
    private final HeaderContext edits;
    private final ResponseStream response;
    private final StreamDeadline deadline;

    private int retainedBytes;
    private boolean shared;

    LocalStreamResponse(
            MultiplexedConnection connection,
            RequestState served,
            HeaderContext edits,
            ResponseStream response,
            StreamDeadline deadline) {
        this.connection = connection;
        this.loop = connection.loop();
        this.requestState = served;
        this.edits = edits;
        this.response = response;
        this.deadline = deadline;
    }

    /** Resets this object for a new stream, which has no response yet. */
    void begin() {
        retainedBytes = 0;
        shared = false;
    }

    @Override
    public void write(ByteBuf whole) {
        int memory = whole.capacity();
        head(whole, whole.readableBytes() - requestState.responseHeadBytes());
        body(whole);
        if (response.isWaiting()) {
            retainedBytes = memory;
            loop.worker.transit().countAllocation(memory);
        }
    }

    @Override
    public void write(ByteBuf head, byte[] body) {
        head(head, body.length);
        head.release();
        shared = true;
        body(Unpooled.wrappedBuffer(body));
    }

    private void head(ByteBuf from, int bodyBytes) {
        int headBytes = requestState.responseHeadBytes();
        byte[] bytes = loop.bytes(headBytes + ByteAppender.SLACK);
        from.readBytes(bytes, 0, headBytes);
        loop.response.scan(bytes, headBytes, GENERATED_HEAD_LIMITS);
        loop.encoder.encode(loop.response, CompiledHeaderChanges.NONE, edits, loop.worker.date(), response.fields());
        response.head(bodyBytes > 0 ? BodyFraming.LENGTH : BodyFraming.NONE, bodyBytes);
        requestState.setResponseHeadBytes((int) response.sentBytes());
        deadline.responseStarted();
    }

    private void body(ByteBuf body) {
        if (body.isReadable()) {
            response.add(body);
            deadline.updateResponseDeadline();
        } else {
            body.release();
        }
        response.end();
        flush();
    }

    /** Whether the waiting body is a shared constant. */
    boolean isShared() {
        return shared;
    }

    /** Bytes of memory held while the response waits; 0 for a shared body. */
    int retainedBytes() {
        return response.isWaiting() ? retainedBytes : 0;
    }

    /** Sends a gRPC error as a trailers-only response. */
    void sendGrpcError(Failure failure) {
        GrpcFailure.compose(failure, response.fields());
        sendGrpcError();
    }

    /** Sends the response of a policy as a gRPC trailers-only response. */
    void sendGrpcError(PolicyDecision decision) {
        GrpcFailure.compose(decision, response.fields());
        sendGrpcError();
    }

    private void sendGrpcError() {
        loop.lines.clear();
        edits.appendPolicyLines(loop.lines);
        HeaderLinesEncoder.encode(loop.lines.bytes(), 0, loop.lines.length(), response.fields());
        requestState.answer(GrpcFailure.STATUS);
        response.head(BodyFraming.NONE, 0);
        flush();
    }

    @Override
    public void flush() {
        connection.flushSoon();
    }

    @Override
    public long queuedBytes() {
        return response.sentBytes() + response.bufferedBytes();
    }
}
