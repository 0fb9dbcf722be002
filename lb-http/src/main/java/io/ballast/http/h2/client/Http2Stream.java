package io.ballast.http.h2.client;

import io.ballast.core.stats.Counters;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ClientSide;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.exchange.RequestProperties;
import io.ballast.http.exchange.TunnelSide;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.h2.flow.StreamOutput;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.WebSocketHandshake;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.RequestCopy;
import io.ballast.http.relay.ClientKeys;
import io.ballast.http.relay.Failure;
import io.ballast.http.serving.ExchangeRecorder;
import io.ballast.http.serving.HeaderContext;
import io.ballast.http.serving.LocalResponses;
import io.ballast.http.serving.RequestState;
import io.ballast.http.trace.RequestTrace;
import io.netty.buffer.ByteBuf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request of a client and its response. The connection reuses the object for later streams, so that
 * steady traffic allocates no stream objects. Event-loop confined.
 */
final class Http2Stream implements ClientSide, StreamDeadline.Owner {

    /** Number of the first stream that a client opens (RFC 9113 section 5.1.1). */
    private static final int FIRST_STREAM = 1;

    private final Http2Connection connection;
    private final Http2Loop loop;
    private final Counters.Shard<ListenerCounter> counters;
    private final RequestState requestState = new RequestState();
    private final HeaderContext edits;
    private final Exchange exchange;
    private final ExchangeRecorder recorder;
    private final LocalResponses responses;
    private final RequestBodyReceiver body;
    private final StreamRequest request;
    private final StreamOutput response;
    private final ResponseHeadSender heads;
    private final LocalStreamResponse localResponse;
    private final StreamDeadline deadline;

    private int id;
    private boolean open;
    /** The client side of a requested or open tunnel; null if there is none. */
    private @Nullable StreamTunnel tunnel;

    Http2Stream(Http2Connection connection, ClientAddress address) {
        this.connection = connection;
        this.loop = connection.loop();
        ConnectionSettings settings = connection.settings();
        Listener listener = connection.listener();
        ListenerConfig config = settings.config();
        this.counters = listener.counters().shard(loop.worker.index());
        this.edits = new HeaderContext(loop.worker, settings.headers(), address);
        edits.setConnection(connection.channel());
        ClientKeys keys = new ClientKeys(connection.affinity());
        this.exchange = new Exchange(
                loop.worker, loop.backends, listener, config.deadlines(), this, connection.proxiedClient(), keys);
        this.response = new StreamOutput(connection.flow(), this::pump);
        this.deadline = new StreamDeadline(
                loop.worker, config.deadlines(), connection.clock(), connection.flow(), response, this);
        this.body = new RequestBodyReceiver(this, connection, exchange, requestState, deadline);
        this.localResponse = new LocalStreamResponse(connection, requestState, edits, response, deadline);
        this.recorder =
                new ExchangeRecorder(listener, settings, loop.worker, requestState, localResponse, address, edits);
        this.responses = new LocalResponses(loop.worker, listener, localResponse, edits, loop.lines, recorder);
        this.request =
                new StreamRequest(this, connection, address, exchange, keys, requestState, edits, recorder, responses);
        this.heads = new ResponseHeadSender(connection, requestState, edits, response, deadline);
    }

    int id() {
        return id;
    }

    /** Starts a request whose head is in {@link Http2Loop#head}. */
    void begin(int number, boolean endsStream) {
        id = number;
        open = true;
        body.begin(number);
        response.begin(number, connection.initialWindow());
        localResponse.begin();
        deadline.begin(connection.initialWindow());
        request.begin(endsStream);
    }

    /** Logs a request with a malformed head and resets the stream. */
    void refuse(int number, boolean endsStream, HeadError fault) {
        id = number;
        open = true;
        body.begin(number);
        response.begin(number, connection.initialWindow());
        localResponse.begin();
        deadline.begin(connection.initialWindow());
        request.beginMalformed(endsStream);
        resetMalformed(fault.text);
    }

    /** Prepares a tunnel, which is used if the backend accepts it. */
    void askForTunnel() {
        tunnel = new StreamTunnel(this, connection.guard(), response, loop.worker.allocator());
    }

    /** Sends the request with the body data received so far. */
    void forwardRequest() {
        if (open) {
            request.forwardWaiting(/* isBodiless= */ body.isBodiless());
        }
    }

    /** Called when a part of the body was received and can be forwarded. */
    void bodyReceived() {
        if (!request.isWaiting()) {
            resumeRequest();
        }
    }

    /** Resets the stream because of a protocol error; {@code reason} appears in the access log. */
    void resetMalformed(String reason) {
        recorder.reason(reason);
        responses.recordUnansweredIfStarted(Failure.BAD_REQUEST);
        connection.resetStream(this, ErrorCode.PROTOCOL_ERROR);
    }

    // ---- ClientSide: the request

    @Override
    public void sendRequest(BackendSide backend) {
        body.send(request, backend);
    }

    @Override
    public boolean canSendAgain() {
        return open && !requestState.isAnswered() && requestState.retryBuffer().isComplete();
    }

    @Override
    public boolean isFirstRequest() {
        return id == FIRST_STREAM;
    }

    @Override
    public RequestProperties request() {
        return requestState;
    }

    @Override
    public void resumeRequest() {
        if (open && exchange.isRunning()) {
            body.forwardHeld();
        }
    }

    // ---- ClientSide: the response

    @Override
    public @Nullable PolicyExchange responsePolicies() {
        return edits.responsePolicies();
    }

    @Override
    public @Nullable RequestTrace recordedTrace() {
        return edits.recordedTrace();
    }

    @Override
    public @Nullable RequestCopy requestCopy() {
        return edits.requestCopy();
    }

    @Override
    public void informational(ResponseScanner scanner, ByteBuf received) {
        received.release();
        heads.sendInformational(scanner);
        connection.frames().flushSoon();
    }

    @Override
    public void responseHead(ResponseScanner scanner, ByteBuf received, int bodyBytes, BodyFraming framing) {
        if (tunnel != null && WebSocketHandshake.establishesTunnel(scanner.status())) {
            received.release();
            exchange.fail(Failure.UPGRADE_REFUSED);
            return;
        }
        dropTunnel();
        heads.sendFinal(scanner, framing);
        if (bodyBytes > 0) {
            received.readerIndex(received.writerIndex() - bodyBytes);
            responseBody(received);
        } else {
            received.release();
        }
    }

    @Override
    public boolean intercepts(ResponseScanner head) {
        return !request.isGrpc() && responses.intercepts(head);
    }

    @Override
    public void intercepted(int status) {
        responses.intercepted(status, request.scanned(), requestState, /* close= */ false);
        finishWithLocalResponse();
    }

    @Override
    public TunnelSide tunnel(ResponseScanner scanner, ByteBuf received) {
        heads.sendProtocolSwitch(scanner);
        response.add(received.skipBytes(scanner.end));
        return Objects.requireNonNull(tunnel);
    }

    private void dropTunnel() {
        StreamTunnel dropped = tunnel;
        if (dropped != null) {
            tunnel = null;
            body.credit(dropped.release());
        }
    }

    @Override
    public boolean framesBodies() {
        return true;
    }

    @Override
    public void responseTrailers(byte[] lines) {
        response.trailers(lines);
    }

    @Override
    public void responseBody(ByteBuf data) {
        connection.guard().creditBodyBytes(data.readableBytes());
        response.add(data);
        deadline.updateResponseDeadline();
    }

    @Override
    public void flush() {
        connection.frames().flushSoon();
    }

    @Override
    public boolean isWritable() {
        return response.isWritable();
    }

    @Override
    public void responseEnd() {
        response.end();
        recorder.end(/* failure= */ null);
        connection.guard().creditResponse();
        finishResponse();
    }

    @Override
    public void fail(Failure failure) {
        if (!open) {
            responses.recordUnansweredIfStarted(failure);
            return;
        }
        if (requestState.isAnswered()) {
            responses.recordUnanswered(failure);
            connection.resetStream(this, tunnel == null ? ErrorCode.INTERNAL_ERROR : ErrorCode.CANCEL); // RFC 8441
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
        heads.sendContinue();
        connection.frames().flushSoon();
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

    private void finishResponse() {
        if (!open) {
            return;
        }
        dropTunnel();
        requestState.release();
        connection.frames().flushSoon();
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

    private boolean pump() {
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
            connection.frames().flushSoon();
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
