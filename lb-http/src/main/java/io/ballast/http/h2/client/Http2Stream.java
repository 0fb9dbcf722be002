package io.ballast.http.h2.client;

import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.h2.flow.StreamOutput;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.TrailerRules;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.relay.Failure;
import io.ballast.http.serving.LocalResponses;
import io.ballast.http.serving.RequestState;
import org.jspecify.annotations.Nullable;

/**
 * One request of a client and its response. The connection reuses the object for later streams, so that
 * steady traffic allocates no stream objects. Event-loop confined.
 */
final class Http2Stream implements StreamDeadline.Owner {

    private final Http2Connection connection;
    private final Http2Loop loop;
    private final Counters.Shard<ListenerCounter> counters;
    private final Http2ClientSide client;
    private final RequestState requestState;
    private final Exchange exchange;
    private final LocalResponses responses;
    private final RequestBodyReceiver body;
    private final StreamRequest request;
    private final StreamOutput response;
    private final LocalStreamResponse localResponse;
    private final StreamDeadline deadline;

    private int id;
    private boolean open;
    /** The client side of a requested or open tunnel; null if there is none. */
    private @Nullable StreamTunnel tunnel;

    Http2Stream(Http2Connection connection, ClientAddress address) {
        this.connection = connection;
        this.loop = connection.loop();
        this.counters = connection.listener().counters().shard(loop.worker.index());
        this.client = new Http2ClientSide(this, connection, address);
        this.requestState = client.requestState;
        this.exchange = client.exchange;
        this.responses = client.responses;
        this.body = client.body;
        this.request = client.request;
        this.response = client.response;
        this.localResponse = client.localResponse;
        this.deadline = client.deadline;
    }

    int id() {
        return id;
    }

    /** Starts a request whose head is in {@link Http2Loop#head}. */
    void begin(int number, boolean endsStream) {
        open(number);
        request.begin(endsStream);
    }

    /** Logs a request with a malformed head and resets the stream. */
    void refuse(int number, boolean endsStream, HeadError fault) {
        open(number);
        request.beginMalformed(endsStream);
        resetMalformed(fault.text);
    }

    private void open(int number) {
        id = number;
        open = true;
        body.begin(number);
        response.begin(number, connection.initialWindow());
        localResponse.begin();
        deadline.begin(connection.initialWindow());
    }

    /** Prepares a tunnel, which is used if the backend accepts it. */
    void requestTunnel() {
        tunnel = new StreamTunnel(this, connection.guard(), response, loop.worker.allocator());
    }

    /** Sends the request with the body data received so far. */
    void forwardRequest() {
        if (open) {
            request.forwardWaiting(/* isBodiless= */ body.isBodiless());
        }
    }

    /** The trailers that the current request must not contain. */
    TrailerRules trailerRules() {
        return client.trailerRules();
    }

    /** Called when a part of the body was received and can be forwarded. */
    void bodyReceived() {
        if (!request.isWaiting()) {
            client.resumeRequest();
        }
    }

    /** Resets the stream because of a protocol error; {@code reason} appears in the access log. */
    void resetMalformed(String reason) {
        client.recorder.reason(reason);
        responses.recordUnansweredIfStarted(Failure.BAD_REQUEST);
        connection.resetStream(this, ErrorCode.PROTOCOL_ERROR);
    }

    // ---- response

    /** Releases a tunnel to which the backend has not switched. */
    void dropTunnel() {
        StreamTunnel dropped = tunnel;
        if (dropped != null) {
            tunnel = null;
            body.credit(dropped.release());
        }
    }

    /** Sends the frames written so far to the client. */
    void flush() {
        connection.frames().flushSoon();
    }

    /** Ends the request, whose exchange has failed; sends an error response if that is still possible. */
    void fail(Failure failure) {
        if (!open) {
            responses.recordUnansweredIfStarted(failure);
            return;
        }
        if (requestState.isAnswered()) {
            responses.recordUnanswered(failure);
            // RFC 8441 section 5: CANCEL reports a broken tunnel
            connection.resetStream(this, tunnel == null ? ErrorCode.INTERNAL_ERROR : ErrorCode.CANCEL);
            return;
        }
        refuse(failure);
    }

    private void refuse(Failure failure) {
        if (request.isGrpc()) {
            localResponse.sendGrpcError(failure);
            counters.increment(ListenerCounter.ofStatus(GrpcFailure.STATUS));
            responses.recordUnanswered(failure);
        } else {
            responses.failure(failure, request.scanned(), requestState, /* close= */ false);
        }
        finishWithLocalResponse();
    }

    /** Asks a client that waits for a 100 response to send the body. */
    void sendContinue() {
        client.heads.sendContinue();
        flush();
    }

    /** Begins a new period for the request body, after a policy has delayed the request. */
    void restartBodyDeadline() {
        deadline.restartBody();
    }

    /** Answers a request as a policy has decided. */
    void answer(PolicyExchange policies) {
        if (request.isGrpc()) {
            localResponse.sendGrpcError(policies.answer().response());
            counters.increment(ListenerCounter.ofStatus(GrpcFailure.STATUS));
            responses.recordPolicy(policies);
        } else {
            responses.policy(policies, request.scanned(), requestState, /* close= */ false);
        }
        finishWithLocalResponse();
    }

    /** Continues the response when the client is writable again. */
    void resumeResponse() {
        if (open && exchange.isRunning() && response.isWritable()) {
            exchange.clientWritable();
        }
    }

    /** Discards the rest of the request, because a local response is being sent. */
    void finishWithLocalResponse() {
        request.answeredLocally();
        body.stop();
        finishResponse();
        if (open && localResponse.retainedBytes() > 0 && connection.exceedsResponseMemoryLimit()) {
            connection.resetStream(this, ErrorCode.ENHANCE_YOUR_CALM);
        }
    }

    /** Returns the bytes of memory held by a generated response that waits for a flow-control window. */
    int localResponseBytes() {
        return localResponse.retainedBytes();
    }

    /** Releases the objects that the response no longer needs, and ends the stream when the whole response is sent. */
    void finishResponse() {
        if (!open) {
            return;
        }
        dropTunnel();
        requestState.release();
        flush();
        deadline.expectNoBody();
        deadline.updateResponseDeadline();
        endOrAwaitRest();
    }

    /**
     * Ends the stream after the response. Before that, it receives the rest of the request for a short time,
     * because most clients treat a reset as a failure.
     */
    private void endOrAwaitRest() {
        if (!response.isEndSent()) {
            return;
        }
        if (body.hasEnded()) {
            endStream();
        } else {
            body.stop();
            deadline.awaitRestOfRequest();
        }
    }

    /** Called when the client has enlarged a window. Sends waiting data; false if the stream must still wait. */
    boolean pump() {
        boolean done = response.pump();
        if (!open) {
            return true;
        }
        if (exchange.isRunning()) {
            if (response.isWritable()) {
                exchange.clientWritable();
            }
        } else if (response.isEndSent()) {
            endOrAwaitRest();
            return true;
        }
        if (tunnel == null) { // a tunnel may be idle until its own timeout expires
            deadline.updateResponseDeadline();
        }
        return done;
    }

    /** Ends the stream after the response. Resets it if the rest of the request has not been received. */
    void endStream() {
        boolean complete = body.hasEnded();
        if (!complete) {
            connection.frames().reset(id, ErrorCode.NO_ERROR); // RFC 9113 section 8.1: asks the client to stop sending
            flush();
        }
        connection.streamEnded(this, /* isReset= */ !complete);
    }

    /** Changes the send window; false if it exceeds the maximum. */
    boolean windowUpdate(long increment) {
        if (!response.grow(increment)) {
            return false;
        }
        deadline.windowChanged(increment);
        if (response.isWaiting()) {
            connection.flow().enqueue(response);
        }
        return true;
    }

    /** Ends the stream without notifying the client. */
    void stop(Failure failure) {
        exchange.abort(failure);
        responses.recordUnansweredIfStarted(failure);
        release();
    }

    /** Whether a request is being served, so that a reset by the client would waste work. */
    boolean isServing() {
        return exchange.isRunning() || request.isWaiting();
    }

    /** Whether the exchange has outlived the stream: see {@link Exchange#isDetached}. */
    boolean isDetached() {
        return exchange.isDetached();
    }

    @Override
    public void readerTooSlow() {
        stop(Failure.SLOW_READER);
        connection.resetStream(this, ErrorCode.CANCEL);
    }

    @Override
    public void restTimedOut() {
        endStream();
    }

    @Override
    public void senderTooSlow(Failure failure) {
        exchange.clientGone(); // the backend side handles this like a disconnect of the client
        stopRequest(failure);
    }

    /** Stops the request and answers it with the failure, unless a response has begun. */
    void stopRequest(Failure failure) {
        exchange.abort(failure);
        if (requestState.isAnswered()) {
            responses.recordUnanswered(failure);
            connection.resetStream(this, ErrorCode.CANCEL);
        } else {
            refuse(failure);
        }
    }

    /** Releases all resources. */
    void release() {
        open = false;
        request.release();
        if (tunnel != null) {
            tunnel.release();
            tunnel = null;
        }
        deadline.end();
        body.stop();
        response.stop();
        requestState.release();
    }

    boolean isOpen() {
        return open;
    }

    /** The request body. */
    RequestBodyReceiver body() {
        return body;
    }

    /** The client side of a requested or open tunnel; null if there is none. */
    @Nullable StreamTunnel clientTunnel() {
        return tunnel;
    }

    StreamOutput response() {
        return response;
    }

    /** Number of bytes held for the request and the response. */
    long bufferedBytes() {
        return (localResponse.isShared() ? 0 : response.bufferedBytes())
                + body.bufferedBytes()
                + (tunnel == null ? 0 : tunnel.bufferedBytes())
                + requestState.bufferedBytes()
                + exchange.pendingBytes();
    }
}
