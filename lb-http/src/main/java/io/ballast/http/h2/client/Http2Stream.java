package io.ballast.http.h2.client;

import io.ballast.core.stats.Counters;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ClientSide;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.exchange.TunnelSide;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.h2.flow.StreamOutput;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.WebSocketHandshake;
import io.ballast.http.relay.Failure;
import io.ballast.http.serving.ExchangeRecorder;
import io.ballast.http.serving.HeaderContext;
import io.ballast.http.serving.LocalResponses;
import io.ballast.http.serving.RequestState;
import io.netty.buffer.ByteBuf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request of a client and its response. The connection reuses the object for later streams, so that
 * steady traffic allocates no stream objects. Event-loop confined.
 */
final class Http2Stream implements ClientSide, StreamDeadline.Owner {

    /** Number of a client's first stream (RFC 9113 section 5.1.1). */
    private static final int FIRST_STREAM = 1;

    private final Http2Connection connection;
    private final Http2Loop loop;
    private final ConnectionSettings settings;
    private final Counters.Shard<ListenerCounter> counters;
    private final RequestState served = new RequestState();
    private final HeaderContext edits;
    private final Exchange exchange;
    private final ExchangeRecorder recorder;
    private final LocalResponses responses;
    private final RequestBodyForwarder body;
    private final StreamRequest request;
    private final StreamOutput response;
    private final ResponseHeadSender heads;
    private final LocalStreamResponse own;
    private final RequestBodyCounter received;
    private final StreamDeadline deadline;

    private int id;
    private boolean open;
    /** The client side of a requested or open tunnel; null if there is none. */
    private @Nullable StreamTunnel tunnel;

    Http2Stream(Http2Connection connection, ClientAddress address) {
        this.connection = connection;
        this.loop = connection.loop();
        this.settings = connection.settings();
        Listener listener = connection.listener();
        ListenerConfig config = settings.config();
        this.counters = listener.counters().shard(loop.worker.index());
        this.edits = new HeaderContext(loop.worker, settings.headers(), address);
        edits.over(connection.channel());
        this.exchange =
                new Exchange(loop.worker, loop.backends, listener, config.deadlines(), this, connection.affinity());
        exchange.between(connection.peer(), connection.local());
        this.body = new RequestBodyForwarder(loop.worker.allocator(), exchange.bodies(), served.sent());
        this.received = new RequestBodyCounter(connection);
        this.response = new StreamOutput(connection.flow(), this::pump);
        this.deadline = new StreamDeadline(
                loop.worker, config.deadlines(), connection.clock(), connection.flow(), response, this);
        this.own = new LocalStreamResponse(connection, served, edits, response, deadline);
        this.recorder = new ExchangeRecorder(listener, settings, loop.worker, served, own, address, edits);
        this.responses = new LocalResponses(loop.worker, listener, own, edits, loop.lines, recorder);
        this.request = new StreamRequest(this, connection, address, exchange, served, edits, recorder, responses);
        this.heads = new ResponseHeadSender(connection, served, edits, response, deadline);
    }

    int id() {
        return id;
    }

    /** Starts a request; {@link Http2Loop#head} holds its head. */
    void begin(int number, boolean endsStream) {
        id = number;
        open = true;
        received.begin(number);
        response.begin(number, connection.initialWindow());
        own.begin();
        deadline.begin(connection.initialWindow());
        request.begin(endsStream);
    }

    /** Logs a request with a malformed head and resets the stream. */
    void refuse(int number, boolean endsStream, HeadError fault) {
        id = number;
        open = true;
        received.begin(number);
        response.begin(number, connection.initialWindow());
        own.begin();
        deadline.begin(connection.initialWindow());
        request.beginMalformed(endsStream);
        malformed(fault.text);
    }

    /** Sets the announced body length; negative if it is unknown. */
    void expectBody(long length, boolean endsStream) {
        received.expect(length);
        body.begin(/* hasUnknownLength= */ !endsStream && tunnel == null && length < 0, /* hasBody= */ !endsStream);
        if (tunnel != null) {
            body.stop(); // tunnel data is not a body
        }
    }

    /** Prepares a tunnel, to be used if the backend agrees to it. */
    void askForTunnel() {
        tunnel = new StreamTunnel(this, connection.guard(), response, loop.worker.allocator());
    }

    /** Sends the request with the body data received so far. */
    void proceed() {
        if (open) {
            request.proceed(/* isBodiless= */ body.hasNone());
        }
    }

    /** The request turned out to have no body. */
    void expectNoBody() {
        body.begin(/* hasUnknownLength= */ false, /* hasBody= */ false);
    }

    /** Receives DATA {@code source[at, at + length)}, valid only during the call, in a frame of {@code frameBytes}. */
    void receive(ByteBuf source, int at, int length, int frameBytes, boolean endsStream) {
        ErrorCode fault = received.receive(length, frameBytes, endsStream);
        served.bodyReceived(length);
        if (fault == ErrorCode.PROTOCOL_ERROR) {
            malformed(HeadError.WRONG_BODY_LENGTH.text);
            return;
        }
        if (fault != null) {
            connection.resetStream(this, fault);
            return;
        }
        if (endsStream) {
            body.end(/* lines= */ null);
        }
        StreamTunnel through = tunnel;
        if (through != null) {
            credit(frameBytes - length);
            through.received(source, at, length);
            return;
        }
        if (!body.isOpen()) {
            refuseRest(frameBytes, endsStream);
            return;
        }
        if (received.bytes() > settings.config().limits().bodyBytes()) {
            stopRequest(Failure.REQUEST_TOO_LARGE);
            return;
        }
        if (isServing()) {
            deadline.bodyReceived(length);
        }
        body.receive(source, at, length);
        credit(frameBytes - length);
        if (!request.isWaiting()) {
            resumeRequest();
        }
    }

    /** Discards body data after the response was sent or started; ends the stream when the body ends. */
    private void refuseRest(int frameBytes, boolean endsStream) {
        if (exchange.isRunning() || !response.isEndSent()) {
            credit(frameBytes);
        } else if (endsStream) {
            ended();
        }
    }

    /** Receives the trailers, which end the request; {@link Http2Loop#trailers} holds them. */
    void receiveTrailers() {
        if (tunnel != null) {
            connection.resetStream(this, ErrorCode.PROTOCOL_ERROR); // RFC 9113 section 8.5
            return;
        }
        if (!received.isComplete()) {
            malformed(HeadError.WRONG_BODY_LENGTH.text);
            return;
        }
        body.end(loop.trailers.lines());
        if (!body.isOpen()) {
            refuseRest(/* frameBytes= */ 0, /* endsStream= */ true);
        } else if (!request.isWaiting()) {
            resumeRequest();
        }
    }

    /** Resets the stream for a protocol error; {@code reason} appears in the access log. */
    void malformed(String reason) {
        recorder.reason(reason);
        responses.unreportedIfStarted(Failure.BAD_REQUEST);
        connection.resetStream(this, ErrorCode.PROTOCOL_ERROR);
    }

    /** Credits {@code bytes} to the client. */
    void credit(int bytes) {
        received.credit(bytes, body.hasEnded());
    }

    /** Starts the deadline for more body data, if any is expected. */
    void awaitBody() {
        if (open && exchange.isRunning() && body.isAwaited()) {
            deadline.awaitBody();
        } else {
            deadline.expectNoBody();
        }
    }

    // ---- ClientSide: the request

    @Override
    public void sendRequest(BackendSide backend) {
        ByteBuf composed = request.compose(exchange.backend(), body.joinableBytes());
        credit(body.begin(composed, backend, exchange.bodyBufferBytes()));
        awaitBody();
    }

    @Override
    public boolean canSendAgain() {
        return open && !served.isAnswered() && served.sent().isComplete();
    }

    @Override
    public boolean isFirstRequest() {
        return id == FIRST_STREAM;
    }

    @Override
    public long announcedBodyBytes() {
        return served.announcedBodyBytes();
    }

    @Override
    public void resumeRequest() {
        if (!open || !exchange.isRunning()) {
            return;
        }
        int passed = body.pass();
        if (passed > 0) {
            connection.guard().moved(passed);
            credit(passed);
        }
        awaitBody();
    }

    // ---- ClientSide: the response

    @Override
    public void informational(ResponseScanner scanner, ByteBuf received) {
        received.release();
        heads.informational(scanner);
        connection.frames().flushSoon();
    }

    @Override
    public void responseHead(ResponseScanner scanner, ByteBuf received, int bodyBytes, BodyFraming framing) {
        if (tunnel != null && WebSocketHandshake.isTakenForSwitch(scanner.status())) {
            received.release();
            exchange.fail(Failure.UPGRADE_REFUSED);
            return;
        }
        dropTunnel();
        heads.last(scanner, framing);
        if (bodyBytes > 0) {
            received.readerIndex(received.writerIndex() - bodyBytes);
            responseBody(received);
        } else {
            received.release();
        }
    }

    @Override
    public TunnelSide tunnel(ResponseScanner scanner, ByteBuf received) {
        heads.switched(scanner);
        response.add(received.skipBytes(scanner.end));
        return Objects.requireNonNull(tunnel);
    }

    private void dropTunnel() {
        StreamTunnel dropped = tunnel;
        if (dropped != null) {
            tunnel = null;
            credit(dropped.release());
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
        connection.guard().moved(data.readableBytes());
        response.add(data);
        deadline.responseMoved();
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
        connection.guard().served();
        finishAnswered();
    }

    @Override
    public void fail(Failure failure) {
        if (!open) {
            responses.unreportedIfStarted(failure);
            return;
        }
        if (served.isAnswered()) {
            responses.untold(failure);
            connection.resetStream(this, tunnel == null ? ErrorCode.INTERNAL_ERROR : ErrorCode.CANCEL); // RFC 8441
            return;
        }
        refuse(failure);
    }

    private void refuse(Failure failure) {
        if (request.isGrpc()) {
            own.grpc(failure);
            counters.increment(ListenerCounter.ofStatus(GrpcFailure.STATUS));
            responses.untold(failure);
        } else {
            responses.failure(failure, request.scanned(), served, /* close= */ false);
        }
        finishRefused();
    }

    /** Whether the whole request has been received. */
    boolean hasEnded() {
        return body.hasEnded();
    }

    /** The client is writable again. */
    void resumeResponse() {
        if (open && exchange.isRunning() && response.isWritable()) {
            exchange.bodies().clientWritable();
        }
    }

    /** The response is being sent; discards the rest of the request. */
    void finishRefused() {
        request.goesNowhere();
        body.stop();
        finishAnswered();
        if (open && own.retainedBytes() > 0 && connection.keepsTooMuch()) {
            connection.resetStream(this, ErrorCode.ENHANCE_YOUR_CALM);
        }
    }

    /** Bytes of memory held by a generated response that waits for a window. */
    int ownKeptBytes() {
        return own.retainedBytes();
    }

    private void finishAnswered() {
        if (!open) {
            return;
        }
        dropTunnel();
        served.release();
        connection.frames().flushSoon();
        deadline.expectNoBody();
        deadline.responseMoved();
        endOrListen();
    }

    /**
     * After the response, receives the rest of the request for a short time: most clients treat a reset as a failure.
     */
    private void endOrListen() {
        if (!response.isEndSent()) {
            return;
        }
        if (body.hasEnded()) {
            ended();
        } else {
            body.stop();
            deadline.listen();
        }
    }

    private boolean pump() {
        boolean done = response.pump();
        if (!open) {
            return true;
        }
        if (exchange.isRunning()) {
            if (response.isWritable()) {
                exchange.bodies().clientWritable();
            }
        } else if (response.isEndSent()) {
            endOrListen();
            return true;
        }
        if (tunnel == null) { // a tunnel may be idle up to its own timeout
            deadline.responseMoved();
        }
        return done;
    }

    private void ended() {
        boolean complete = body.hasEnded();
        if (!complete) {
            connection.frames().reset(id, ErrorCode.NO_ERROR); // RFC 9113 section 8.1
            connection.frames().flushSoon();
        }
        connection.ended(this, /* isReset= */ !complete);
    }

    /** Changes the send window; false if it exceeds the maximum. */
    boolean windowUpdate(long increment) {
        if (!response.grow(increment)) {
            return false;
        }
        deadline.windowGrew(increment);
        if (response.isWaiting()) {
            connection.flow().await(response);
        }
        return true;
    }

    /** Ends the stream without notifying the client. */
    void stop(Failure failure) {
        exchange.abort(failure);
        responses.unreportedIfStarted(failure);
        release();
    }

    /** Whether a request is running, whose work would be wasted if the client reset the stream. */
    boolean isServing() {
        return exchange.isRunning() || request.isWaiting();
    }

    @Override
    public void readerIsSlow() {
        stop(Failure.SLOW_READER);
        connection.resetStream(this, ErrorCode.CANCEL);
    }

    @Override
    public void restIsOver() {
        ended();
    }

    @Override
    public void senderIsSlow(Failure failure) {
        exchange.clientGone(); // treat it as a disconnect at the backend
        stopRequest(failure);
    }

    private void stopRequest(Failure failure) {
        exchange.abort(failure);
        if (served.isAnswered()) {
            responses.untold(failure);
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
        served.release();
    }

    StreamOutput response() {
        return response;
    }

    /** Number of bytes held for the request and the response. */
    long bufferedBytes() {
        return (own.isShared() ? 0 : response.bufferedBytes())
                + body.bufferedBytes()
                + (tunnel == null ? 0 : tunnel.bufferedBytes())
                + served.bufferedBytes()
                + exchange.bodies().pendingBytes();
    }
}
