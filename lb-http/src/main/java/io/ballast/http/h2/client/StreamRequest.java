package io.ballast.http.h2.client;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Affinity;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.Listener;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.head.HeadFault;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.Scan;
import io.ballast.http.head.UpgradeProtocol;
import io.ballast.http.head.WebSocketHandshake;
import io.ballast.http.octets.OctetBuffer;
import io.ballast.http.relay.Failure;
import io.ballast.http.route.destination.Route;
import io.ballast.http.serving.ExchangeEdits;
import io.ballast.http.serving.ExchangeRecorder;
import io.ballast.http.serving.LocalResponses;
import io.ballast.http.serving.RequestState;
import io.ballast.http.serving.RequestTies;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The request of a stream, but for its body: judges the head, finds the route and has the exchange begin. The head is kept in
 * the notation of HTTP/1.1, since it may be sent more than once. Event-loop confined.
 */
final class StreamRequest {

    private final Http2Stream stream;
    private final Http2Connection connection;
    private final Http2Loop loop;
    private final Listener listener;
    private final ConnectionSettings settings;
    private final ClientAddress address;
    private final Exchange exchange;
    private final RequestState served;
    private final ExchangeEdits edits;
    private final ExchangeRecorder recorder;
    private final LocalResponses responses;
    private final HeadLimits limits;
    private final OctetBuffer head = new OctetBuffer();

    /** It is scanned at this moment, so its head need not be scanned again. */
    private boolean scanned;

    private boolean grpc;
    /** Its route while its body, or the first of it, may be right behind its head. */
    private Route.@Nullable ToPool waitingRoute;

    StreamRequest(
            Http2Stream stream,
            Http2Connection connection,
            ClientAddress address,
            Exchange exchange,
            RequestState served,
            ExchangeEdits edits,
            ExchangeRecorder recorder,
            LocalResponses responses) {
        this.stream = stream;
        this.connection = connection;
        this.loop = connection.loop();
        this.listener = connection.listener();
        this.settings = connection.settings();
        this.address = address;
        this.exchange = exchange;
        this.served = served;
        this.edits = edits;
        this.recorder = recorder;
        this.responses = responses;
        this.limits = HeadLimits.of(settings.config().limits());
    }

    /** It came; {@link Http2Loop#head} holds its head. */
    void begin(boolean endsStream) {
        grpc = false;
        waitingRoute = null;
        RequestHead text = loop.head;
        head.copy(text.text());
        scanned = true;
        try {
            if (text.isTooLarge()) {
                refuse(HeadFault.HEAD_TOO_LONG, endsStream);
            } else if (scan() == Scan.COMPLETE) {
                begin(loop.request, endsStream);
            } else {
                HeadFault fault = loop.request.fault;
                refuse(fault == null ? HeadFault.MALFORMED_REQUEST_LINE : fault, endsStream);
            }
        } finally {
            scanned = false;
        }
    }

    private Scan scan() {
        return loop.request.scan(head.bytes(), head.length(), limits);
    }

    private void refuse(HeadFault fault, boolean endsStream) {
        stream.expectBody(/* length= */ -1, endsStream);
        served.startFaulty();
        served.http2();
        edits.start();
        recorder.beginFaulty(head.bytes(), head.length());
        responses.fault(fault, served);
        stream.finishRefused();
    }

    /** It came with a malformed head, of which {@link Http2Loop#head} holds what was read before the fault. */
    void beginMalformed(boolean endsStream) {
        grpc = false;
        waitingRoute = null;
        head.copy(loop.head.text());
        stream.expectBody(/* length= */ -1, endsStream);
        served.startFaulty();
        served.http2();
        edits.start();
        recorder.beginFaulty(head.bytes(), head.length());
    }

    private void begin(RequestScanner request, boolean endsStream) {
        served.start(request);
        served.http2();
        boolean tunnel = asksForTunnel();
        edits.start();
        recorder.begin(request);
        if (address.isBehindProxy()) {
            address.read(request);
            exchange.affinity(Affinity.DEFAULT.of(address.octets()));
        }
        if (endsStream && request.contentLength > 0) {
            stream.malformed(HeadFault.WRONG_BODY_LENGTH.text);
            return;
        }
        stream.expectBody(request.contentLength, endsStream);
        grpc = !tunnel && GrpcFailure.isGrpc(request);
        Route route = listener.settings().routes().find(request, address.octets(), loop.routing);
        edits.know(request, route == null ? settings.headers().edits() : route.edits());
        if (request.contentLength > settings.config().limits().bodyBytes()) {
            responses.failure(Failure.REQUEST_TOO_LARGE, request, served, /* close= */ false);
            stream.finishRefused();
        } else if (route instanceof Route.ToPool to) {
            if (endsStream || tunnel) {
                balance(to, request);
            } else {
                waitingRoute = to; // its body, or the first of it, may be right behind
                connection.awaitBody(stream);
            }
        } else if (tunnel
                && route instanceof Route.Fixed fixed
                && WebSocketHandshake.isTakenForSwitch(fixed.response().status())) {
            responses.failure(Failure.UPGRADE_REFUSED, request, served, /* close= */ false);
            stream.finishRefused();
        } else {
            responses.answer(route, request, loop.routing, served, /* close= */ false);
            stream.finishRefused();
        }
    }

    private boolean asksForTunnel() {
        byte[] key = loop.head.webSocketKey();
        UpgradeProtocol webSocket = connection.webSocket();
        if (key == null || webSocket == null) {
            return false;
        }
        served.upgrade(webSocket.answeredBy(WebSocketHandshake.accept(key)));
        stream.askForTunnel();
        return true;
    }

    /** Whether it waits for what may be right behind its head. */
    boolean isWaiting() {
        return waitingRoute != null;
    }

    /** It was answered before it was sent. */
    void goesNowhere() {
        waitingRoute = null;
    }

    /**
     * What has come by now goes to the backend together.
     *
     * @param isBodiless whether the stream has ended without a body, though not with its head
     */
    void proceed(boolean isBodiless) {
        Route.ToPool to = waitingRoute;
        if (to != null) {
            waitingRoute = null;
            if (isBodiless) {
                stream.expectNoBody();
                RequestHead.withoutBody(head);
            }
            scan();
            if (isBodiless) {
                served.hasNoBody(loop.request);
            }
            scanned = true;
            try {
                balance(to, loop.request);
            } finally {
                scanned = false;
            }
        }
    }

    private void balance(Route.ToPool to, RequestScanner request) {
        RequestTies.tie(to, request, address, loop.routing, exchange, edits);
        served.rewrite(to.rewrite());
        served.goesTo(to.pool());
        recorder.balance(exchange);
        exchange.begin(
                to.pool(),
                to.generation(),
                request.method.name(),
                served.isIdempotent(),
                served.isHeadMethod(),
                served.isPipelinable(),
                served.upgrade());
        stream.awaitBody();
    }

    /** Whether it is a call of gRPC. */
    boolean isGrpc() {
        return grpc;
    }

    /** Its head as the scanner of the event loop holds it, for a moment. */
    RequestScanner scanned() {
        if (!scanned) {
            scan();
        }
        return loop.request;
    }

    /** Composes the head for a backend, with room for so much of the body behind it. */
    ByteBuf compose(Backend backend, int bodyBytes) {
        scanned();
        return loop.compose(served, address, edits, backend, bodyBytes);
    }

    /** Lets go of the head. */
    void release() {
        waitingRoute = null;
        head.release();
    }
}
