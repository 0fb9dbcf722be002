package io.ballast.http.multiplex;

import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.forwarding.ClientAddress;
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
public abstract class ClientStream implements StreamDeadline.Owner {

    private final MultiplexedConnection connection;
    private final MultiplexLoop loop;
    private final Counters.Shard<ListenerCounter> counters;
    private final StreamClientSide client;
    private final RequestState requestState;
    private final Exchange exchange;
    private final LocalResponses responses;
    private final RequestBodyReceiver body;
    private final StreamRequest request;
    private final ResponseStream response;
    private final LocalStreamResponse localResponse;
    private final StreamDeadline deadline;

    private long id;
    private boolean open;
    /** The client side of a requested or open tunnel; null if there is none. */
    private @Nullable StreamTunnel tunnel;

    /**
     * @param response sends the responses of this object
     * @param window the window in which the client sends requests
     */
    protected ClientStream(
            MultiplexedConnection connection, ClientAddress address, ResponseStream response, RequestWindow window) {
        this.connection = connection;
        this.loop = connection.loop();
        this.counters = connection.listener().counters().shard(loop.worker.index());
        this.client = new StreamClientSide(this, connection, address, response, window);
        this.requestState = client.requestState;
        this.exchange = client.exchange;
        this.responses = client.responses;
        this.body = client.body;
        this.request = client.request;
        this.response = client.response;
        this.localResponse = client.localResponse;
        this.deadline = client.deadline;
    }

    /** The number of the current stream. */
    public final long id() {
        return id;
    }

    /** Starts a request whose head is in {@link MultiplexLoop#head()}. */
    public final void begin(long number, boolean endsStream) {
        open(number);
        request.begin(endsStream);
    }

    /** Logs a request with a malformed head and resets the stream. */
    public final void refuse(long number, boolean endsStream, HeadError fault) {
        open(number);
        request.beginMalformed(endsStream);
        resetMalformed(fault.text);
    }

    private void open(long number) {
        id = number;
        open = true;
        body.begin(number);
        response.begin(number);
        localResponse.begin();
        deadline.begin();
    }

    /** Prepares a tunnel, which is used if the backend accepts it. */
    final void requestTunnel() {
        tunnel = new StreamTunnel(this, connection.guard(), response, loop.worker.allocator());
    }

    /** Sends the request with the body data received so far. */
    public final void forwardRequest() {
        if (open) {
            request.forwardWaiting(/* isBodiless= */ body.isBodiless());
        }
    }

    /** The trailers that the current request may not have. */
    public final TrailerRules trailerRules() {
        return client.trailerRules();
    }

    /** Called when a part of the body was received and can be forwarded. */
    final void bodyReceived() {
        if (!request.isWaiting()) {
            client.resumeRequest();
        }
    }

    /** Resets the stream because of a protocol error; {@code reason} appears in the access log. */
    public final void resetMalformed(String reason) {
        client.recorder.reason(reason);
        responses.recordUnansweredIfStarted(Failure.BAD_REQUEST);
        connection.resetStream(this, StreamError.MALFORMED);
    }

    // ---- response

    /** Releases a tunnel to which the backend has not switched. */
    final void dropTunnel() {
        StreamTunnel dropped = tunnel;
        if (dropped != null) {
            tunnel = null;
            body.credit(dropped.release());
        }
    }

    /** Sends the frames written so far to the client. */
    final void flush() {
        connection.flushSoon();
    }

    /** Ends the request, whose exchange has failed; sends an error response if that is still possible. */
    final void fail(Failure failure) {
        if (!open) {
            responses.recordUnansweredIfStarted(failure);
            return;
        }
        if (requestState.isAnswered()) {
            responses.recordUnanswered(failure);
            // RFC 8441 section 5: CANCEL reports a broken tunnel
            connection.resetStream(this, tunnel == null ? StreamError.INTERNAL : StreamError.CANCELLED);
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
    final void sendContinue() {
        client.heads.sendContinue();
        flush();
    }

    /** Begins a new period for the request body, after a policy has delayed the request. */
    final void restartBodyDeadline() {
        deadline.restartBody();
    }

    /** Answers a request as a policy has decided. */
    final void answer(PolicyExchange policies) {
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
    public final void resumeResponse() {
        if (open && exchange.isRunning() && response.isWritable()) {
            exchange.clientWritable();
        }
    }

    /** Discards the rest of the request, because a local response is being sent. */
    final void finishWithLocalResponse() {
        request.answeredLocally();
        body.stop();
        finishResponse();
        if (open && localResponse.retainedBytes() > 0 && connection.exceedsResponseMemoryLimit()) {
            connection.resetStream(this, StreamError.EXCESSIVE_LOAD);
        }
    }

    /** Returns the bytes of memory held by a generated response that waits for a flow-control window. */
    final int localResponseBytes() {
        return localResponse.retainedBytes();
    }

    /** Releases the objects that the response no longer needs, and ends the stream when the whole response is sent. */
    final void finishResponse() {
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

    /** Sends waiting data; called when the client has granted more of the window. */
    public final boolean pump() {
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
    final void endStream() {
        boolean complete = body.hasEnded();
        if (!complete) {
            connection.stopReceiving(this);
            flush();
        }
        connection.streamEnded(this, /* isReset= */ !complete);
    }

    /** Called after the window in which the response is sent has changed. */
    protected final void windowChanged() {
        deadline.windowChanged();
    }

    /** Ends the stream without notifying the client. */
    public final void stop(Failure failure) {
        exchange.abort(failure);
        responses.recordUnansweredIfStarted(failure);
        release();
    }

    /** Whether a request is being served, so that a reset by the client would waste work. */
    public final boolean isServing() {
        return exchange.isRunning() || request.isWaiting();
    }

    /** Whether the exchange has outlived the stream: see {@link Exchange#isDetached}. */
    final boolean isDetached() {
        return exchange.isDetached();
    }

    @Override
    public final void readerTooSlow() {
        stop(Failure.SLOW_READER);
        connection.resetStream(this, StreamError.CANCELLED);
    }

    @Override
    public final void restTimedOut() {
        endStream();
    }

    @Override
    public final void senderTooSlow(Failure failure) {
        exchange.clientGone(); // the backend side handles this like a disconnect of the client
        stopRequest(failure);
    }

    /** Stops the request and answers it with the failure, unless a response has begun. */
    final void stopRequest(Failure failure) {
        exchange.abort(failure);
        if (requestState.isAnswered()) {
            responses.recordUnanswered(failure);
            connection.resetStream(this, StreamError.CANCELLED);
        } else {
            refuse(failure);
        }
    }

    /** Releases all resources. */
    public final void release() {
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

    public final boolean isOpen() {
        return open;
    }

    /** The request body. */
    public final RequestBodyReceiver body() {
        return body;
    }

    /** The client side of a requested or open tunnel; null if there is none. */
    final @Nullable StreamTunnel clientTunnel() {
        return tunnel;
    }

    /** The response. */
    public final ResponseStream response() {
        return response;
    }

    /** Number of bytes held for the request and the response. */
    final long bufferedBytes() {
        return (localResponse.isShared() ? 0 : response.bufferedBytes())
                + body.bufferedBytes()
                + (tunnel == null ? 0 : tunnel.bufferedBytes())
                + requestState.bufferedBytes()
                + exchange.pendingBytes();
    }
}
