package io.ballast.http.h2.client;

import io.ballast.core.balance.Affinity;
import io.ballast.core.config.ListenerConfig;
import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ClientSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.exchange.TunnelSide;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.h2.flow.StreamOutput;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.HeaderBlock;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.HeadFault;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.Scan;
import io.ballast.http.head.UpgradeProtocol;
import io.ballast.http.head.WebSocketHandshake;
import io.ballast.http.header.HeaderEdits;
import io.ballast.http.octets.OctetBuffer;
import io.ballast.http.relay.Failure;
import io.ballast.http.route.Route;
import io.ballast.http.serving.ExchangeEdits;
import io.ballast.http.serving.ExchangeRecorder;
import io.ballast.http.serving.LocalResponses;
import io.ballast.http.serving.RequestState;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request of a client and the way of its response. The connection uses one object for several streams, one after the
 * other, so that in the long run a stream costs no allocation. Event-loop confined.
 */
final class Http2Stream implements ClientSide {

    /** How long a client that has its response is listened to if its request goes on, as far as its window goes. */
    private static final Duration REST_OF_REQUEST = Duration.ofSeconds(1);

    private final Http2Connection connection;
    private final Http2Loop loop;
    private final Listener listener;
    private final Counters.Shard<ListenerCounter> counters;
    private final HeadLimits limits;
    private final OctetBuffer head = new OctetBuffer();
    private final RequestState served = new RequestState();
    private final ClientAddress address;
    private final ExchangeEdits edits;
    private final Exchange exchange;
    private final ExchangeRecorder recorder;
    private final LocalResponses responses;
    private final RequestPieces body;
    private final StreamOutput response;
    private final OwnResponse own;
    private final ReceivedBody received;
    private final Deadline deadline = new Deadline();

    private int id;
    private boolean open;
    /** The request is scanned at this moment, so its head need not be scanned again. */
    private boolean scanned;

    private Route.@Nullable ToPool waitingRoute;
    /** The client's end of the tunnel that it asks for or has; null if it asks for none, or there will be none. */
    private @Nullable StreamTunnel tunnel;

    private boolean grpc;

    Http2Stream(Http2Connection connection, ClientAddress address) {
        this.connection = connection;
        this.loop = connection.loop();
        this.listener = connection.listener();
        this.address = address;
        ListenerConfig config = listener.config();
        this.limits = HeadLimits.of(config.limits());
        this.counters = listener.counters().shard(loop.worker.index());
        this.edits = new ExchangeEdits(loop.worker, listener.headers(), address);
        this.exchange = new Exchange(loop.worker, loop.backends, listener, this, Affinity.DEFAULT.of(address.octets()));
        exchange.between(connection.peer(), connection.local());
        this.body = new RequestPieces(loop.worker.allocator(), exchange.bodies(), served.sent());
        this.received = new ReceivedBody(connection);
        this.response = new StreamOutput(connection.flow(), this::pump);
        this.own = new OwnResponse(connection, served, edits, response, this::awaitWindow);
        this.recorder = new ExchangeRecorder(listener.accessLog(), loop.worker, counters, served, own, address, edits);
        this.responses = new LocalResponses(loop.worker, listener, own, edits, loop.lines, recorder);
    }

    int id() {
        return id;
    }

    /** A request came, whose head {@link Http2Loop#head} holds. */
    void begin(int number, boolean endsStream) {
        id = number;
        open = true;
        grpc = false;
        waitingRoute = null;
        received.begin(number);
        response.begin(number, connection.initialWindow());
        RequestHead text = loop.head;
        head.copy(text.text());
        scanned = true;
        if (text.isTooLarge()) {
            refuse(HeadFault.HEAD_TOO_LONG, endsStream);
        } else if (loop.request.scan(head.bytes(), head.length(), limits) == Scan.COMPLETE) {
            begin(loop.request, endsStream);
        } else {
            HeadFault fault = loop.request.fault;
            refuse(fault == null ? HeadFault.MALFORMED_REQUEST_LINE : fault, endsStream);
        }
        scanned = false;
    }

    private void refuse(HeadFault fault, boolean endsStream) {
        body.begin(/* hasUnknownLength= */ false, !endsStream);
        served.startFaulty();
        served.http2();
        edits.start();
        recorder.beginFaulty(head.bytes(), head.length());
        responses.fault(fault, served);
        finishRefused();
    }

    private void begin(RequestScanner request, boolean endsStream) {
        served.start(request);
        served.http2();
        askForTunnel();
        edits.start();
        recorder.begin(request);
        if (address.isBehindProxy()) {
            address.read(request);
            exchange.affinity(Affinity.DEFAULT.of(address.octets()));
        }
        received.expect(request.contentLength);
        if (endsStream && request.contentLength > 0) {
            malformed();
            return;
        }
        boolean hasBody = !endsStream && tunnel == null;
        body.begin(hasBody && request.contentLength < 0, !endsStream);
        if (tunnel != null) {
            body.stop(); // what follows is none
        }
        grpc = tunnel == null && GrpcFailure.isGrpc(request);
        Route route = listener.routes().find(request, address.octets(), loop.routing);
        edits.know(request, route == null ? listener.headers().edits() : route.edits());
        if (request.contentLength > listener.config().limits().bodyBytes()) {
            responses.failure(Failure.REQUEST_TOO_LARGE, request, served, /* close= */ false);
            finishRefused();
        } else if (route instanceof Route.ToPool to) {
            if (hasBody) {
                waitingRoute = to; // its body, or the first of it, may be right behind
                connection.awaitBody(this);
            } else {
                balance(to, request);
            }
        } else if (tunnel != null
                && route instanceof Route.Fixed fixed
                && WebSocketHandshake.isTakenForSwitch(fixed.response().status())) {
            responses.failure(Failure.UPGRADE_REFUSED, request, served, /* close= */ false);
            finishRefused();
        } else {
            responses.answer(route, request, loop.routing, served, /* close= */ false);
            finishRefused();
        }
    }

    private void askForTunnel() {
        byte[] key = loop.head.webSocketKey();
        UpgradeProtocol webSocket = connection.webSocket();
        if (key != null && webSocket != null) {
            served.upgrade(webSocket.answeredBy(WebSocketHandshake.accept(key)));
            tunnel = new StreamTunnel(this, connection.guard(), response, loop.worker.allocator());
        }
    }

    /** What has come by now goes to the backend together. */
    void proceed() {
        Route.ToPool to = waitingRoute;
        if (to != null && open) {
            waitingRoute = null;
            scan();
            scanned = true;
            balance(to, loop.request);
            scanned = false;
        }
    }

    private void balance(Route.ToPool to, RequestScanner request) {
        served.rewrite(to.rewrite());
        recorder.balance(exchange);
        exchange.begin(
                to.pool(),
                request.method.name(),
                served.isIdempotent(),
                served.isHeadMethod(),
                served.isPipelinable(),
                served.upgrade());
        awaitBody();
    }

    private void scan() {
        loop.request.scan(head.bytes(), head.length(), limits);
    }

    /** DATA came: {@code source[at, at + length)}, which is borrowed, in a frame of {@code frameBytes}. */
    void receive(ByteBuf source, int at, int length, int frameBytes, boolean endsStream) {
        ErrorCode fault = received.receive(length, frameBytes, endsStream);
        served.bodyReceived(length);
        if (fault == ErrorCode.PROTOCOL_ERROR) {
            malformed();
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
        if (received.bytes() > listener.config().limits().bodyBytes()) {
            stopRequest(Failure.REQUEST_TOO_LARGE);
            return;
        }
        body.receive(source, at, length);
        credit(frameBytes - length);
        if (waitingRoute == null) {
            resumeRequest();
        }
    }

    /** The response is out, or on its way: what is on its way is listened to for a moment. */
    private void refuseRest(int frameBytes, boolean endsStream) {
        if (exchange.isRunning() || !response.isEndSent()) {
            credit(frameBytes);
        } else if (endsStream) {
            ended();
        }
    }

    /** The trailers came, and with them the end; {@link Http2Loop#trailers} holds them. */
    void receiveTrailers() {
        if (tunnel != null) {
            connection.resetStream(this, ErrorCode.PROTOCOL_ERROR); // RFC 9113 section 8.5
            return;
        }
        if (!received.isWhole()) {
            malformed();
            return;
        }
        body.end(loop.trailers.lines());
        if (!body.isOpen()) {
            refuseRest(/* frameBytes= */ 0, /* endsStream= */ true);
        } else if (waitingRoute == null) {
            resumeRequest();
        }
    }

    private void malformed() {
        responses.untoldIfBegun(Failure.BAD_REQUEST);
        connection.resetStream(this, ErrorCode.PROTOCOL_ERROR);
    }

    /** The client may send so many octets more. */
    void credit(int bytes) {
        received.credit(bytes, body.hasEnded());
    }

    private void awaitBody() {
        if (open && body.isOpen() && !body.hasEnded()) {
            loop.worker.setDeadline(deadline, listener.config().deadlines().requestBodyIdle());
        } else if (!response.isWaiting()) {
            loop.worker.deadlines().clear(deadline);
        }
    }

    // ---- ClientSide: the request

    @Override
    public void sendRequest(BackendSide backend) {
        if (!scanned) {
            scan();
        }
        ByteBuf composed = loop.compose(served, address, edits, exchange.backend(), body.joinableBytes());
        credit(body.begin(composed, backend, exchange.bodyBufferBytes()));
    }

    @Override
    public boolean canSendAgain() {
        return open && !served.isAnswered() && served.sent().isWhole();
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
        counters.increment(ListenerCounter.RESPONSES_1XX);
        HeaderBlock block = loop.block;
        loop.encoder.encode(scanner, HeaderEdits.NONE, edits, loop.worker.date(), block);
        response.informational(block);
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
        served.release();
        counters.increment(ListenerCounter.ofStatus(scanner.status()));
        loop.encoder.encode(scanner, edits.edits().response(), edits, loop.worker.date(), loop.block);
        served.answered(scanner.status());
        response.head(loop.block, framing, scanner.contentLength);
        served.responseHead((int) response.sentBytes());
        if (bodyBytes > 0) {
            received.readerIndex(received.writerIndex() - bodyBytes);
            responseBody(received);
        } else {
            received.release();
        }
    }

    @Override
    public TunnelSide tunnel(ResponseScanner scanner, ByteBuf received) {
        served.release();
        counters.increment(ListenerCounter.RESPONSES_2XX);
        loop.encoder.encodeSwitch(scanner, edits.edits().response(), edits, loop.worker.date(), loop.block);
        served.answered(ResponseHeadEncoder.SUCCESS);
        response.head(loop.block, BodyFraming.STREAM, Long.MAX_VALUE);
        served.responseHead((int) response.sentBytes());
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
        awaitWindow();
    }

    /** A client that asked for more than it takes has so long to take more. */
    private void awaitWindow() {
        if (response.isBlockedByPeer()) {
            loop.worker.setDeadline(deadline, listener.config().deadlines().responseIdle());
        }
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
        if (tunnel != null && response.isBlockedByPeer()) {
            loop.worker.setDeadline(deadline, listener.config().deadlines().responseIdle());
        }
        finishAnswered();
    }

    @Override
    public void fail(Failure failure) {
        if (!open) {
            responses.untoldIfBegun(failure);
            return;
        }
        if (served.isAnswered()) {
            responses.untold(failure);
            connection.resetStream(this, tunnel == null ? ErrorCode.INTERNAL_ERROR : ErrorCode.CANCEL); // RFC 8441
            return;
        }
        if (grpc) {
            own.grpc(failure);
            counters.increment(ListenerCounter.ofStatus(GrpcFailure.STATUS));
            responses.untold(failure);
        } else {
            if (!scanned) {
                scan();
            }
            responses.failure(failure, loop.request, served, /* close= */ false);
        }
        finishRefused();
    }

    /** Whether all of the request has come. */
    boolean hasEnded() {
        return body.hasEnded();
    }

    /** The client reads on. */
    void resumeResponse() {
        if (open && exchange.isRunning() && response.isWritable()) {
            exchange.bodies().clientWritable();
        }
    }

    /** The response is on its way, and of the request nothing more is wanted. */
    private void finishRefused() {
        body.stop();
        finishAnswered();
    }

    private void finishAnswered() {
        if (!open) {
            return;
        }
        dropTunnel();
        served.release();
        connection.frames().flushSoon();
        endOrListen();
    }

    /** Once the response is out, the rest of the request is waited for a moment: to most, being cut off is a failure. */
    private void endOrListen() {
        if (!response.isEndSent()) {
            return;
        }
        if (body.hasEnded()) {
            ended();
        } else {
            body.stop();
            loop.worker.setDeadline(deadline, REST_OF_REQUEST);
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
        if (response.isBlockedByPeer() && tunnel == null) {
            loop.worker.setDeadline(deadline, listener.config().deadlines().responseIdle());
        } else {
            awaitBody();
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

    /** The client takes more; false if it says that it takes more than anybody may. */
    boolean windowUpdate(long increment) {
        if (!response.grow(increment)) {
            return false;
        }
        if (response.isWaiting()) {
            connection.flow().await(response);
        }
        return true;
    }

    /** The stream is over, without a word to the client. */
    void stop(Failure failure) {
        exchange.giveUp(failure);
        responses.untoldIfBegun(failure);
        release();
    }

    /** Whether a request is being served that would be in vain if the client left now. */
    boolean isServing() {
        return exchange.isRunning() || waitingRoute != null;
    }

    private void stopRequest(Failure failure) {
        exchange.giveUp(failure);
        if (served.isAnswered()) {
            responses.untold(failure);
            connection.resetStream(this, ErrorCode.CANCEL);
        } else {
            scan();
            responses.failure(failure, loop.request, served, /* close= */ false);
            finishRefused();
        }
    }

    /** Lets go of everything. */
    void release() {
        open = false;
        waitingRoute = null;
        if (tunnel != null) {
            tunnel.release();
            tunnel = null;
        }
        loop.worker.deadlines().remove(deadline);
        body.stop();
        response.stop();
        served.release();
        head.release();
    }

    StreamOutput response() {
        return response;
    }

    /** Octets that it holds of requests and responses. */
    long heldBytes() {
        return response.heldBytes()
                + body.heldBytes()
                + (tunnel == null ? 0 : tunnel.heldBytes())
                + served.heldBytes()
                + exchange.bodies().pendingBytes();
    }

    /** For a client that does not send what it announced, or does not take what it asked for. */
    private final class Deadline extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            if (response.isBlockedByPeer()) {
                stop(Failure.SLOW_READER);
                connection.resetStream(Http2Stream.this, ErrorCode.CANCEL);
            } else if (!exchange.isRunning() && response.isEndSent()) {
                ended();
            } else if (body.isOpen() && !body.hasEnded() && !body.isHeldUp()) {
                stopRequest(Failure.REQUEST_BODY_TIMEOUT);
            } else {
                awaitBody();
            }
        }
    }
}
