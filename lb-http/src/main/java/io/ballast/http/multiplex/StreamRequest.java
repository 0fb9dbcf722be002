package io.ballast.http.multiplex;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.Listener;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ScanResult;
import io.ballast.http.head.UpgradeProtocol;
import io.ballast.http.head.WebSocketHandshake;
import io.ballast.http.local.ResponseSource;
import io.ballast.http.policy.BackendRequest;
import io.ballast.http.policy.BodyRead;
import io.ballast.http.policy.PolicyChain;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.RequestBody;
import io.ballast.http.relay.ClientKeys;
import io.ballast.http.relay.Failure;
import io.ballast.http.route.destination.Route;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.http.serving.ExchangeRecorder;
import io.ballast.http.serving.HeaderContext;
import io.ballast.http.serving.LocalResponses;
import io.ballast.http.serving.RequestState;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Handles the request head of a stream: validates it, finds the route and starts the exchange. Keeps the head as
 * HTTP/1.1 text, since a retry sends it again. Event-loop confined.
 */
final class StreamRequest implements PolicyExchange.Owner {

    private final ClientStream stream;
    private final MultiplexedConnection connection;
    private final MultiplexLoop loop;
    private final Listener listener;
    private final ConnectionSettings settings;
    private final ClientAddress address;
    private final Exchange exchange;
    private final ClientKeys keys;
    private final RequestState requestState;
    private final HeaderContext edits;
    private final ExchangeRecorder recorder;
    private final LocalResponses responses;
    private final HeadLimits limits;
    private final ByteAppender head = new ByteAppender();

    /** Whether {@link MultiplexLoop#request} currently holds this request. */
    private boolean scanned;

    private boolean grpc;
    /**
     * The route of a request that waits for body data before it is forwarded, because the data may have arrived
     * together with the head; null if the request does not wait.
     */
    private Route.@Nullable ToPool waitingRoute;
    /** The route of a request whose policies have not decided yet; null for none. */
    private @Nullable Route undecidedRoute;
    /** Whether the head ended the stream or asked for a tunnel, so that no body follows. */
    private boolean complete;

    StreamRequest(
            ClientStream stream,
            MultiplexedConnection connection,
            ClientAddress address,
            Exchange exchange,
            ClientKeys keys,
            RequestState served,
            HeaderContext edits,
            ExchangeRecorder recorder,
            LocalResponses responses) {
        this.stream = stream;
        this.connection = connection;
        this.loop = connection.loop();
        this.listener = connection.listener();
        this.settings = connection.settings();
        this.address = address;
        this.exchange = exchange;
        this.keys = keys;
        this.requestState = served;
        this.edits = edits;
        this.recorder = recorder;
        this.responses = responses;
        this.limits = HeadLimits.of(settings.config().limits());
    }

    /** Starts the request; {@link MultiplexLoop#head} holds its head. */
    void begin(boolean endsStream) {
        grpc = false;
        waitingRoute = null;
        Http1RequestHeadBuilder text = loop.head;
        head.copyFrom(text.text());
        scanned = true;
        try {
            if (text.isTooLarge()) {
                refuse(HeadError.HEAD_TOO_LONG, endsStream);
            } else if (scan() == ScanResult.COMPLETE) {
                begin(loop.request, endsStream);
            } else {
                HeadError fault = loop.request.fault;
                refuse(fault == null ? HeadError.MALFORMED_REQUEST_LINE : fault, endsStream);
            }
        } finally {
            scanned = false;
        }
    }

    private ScanResult scan() {
        return loop.request.scan(head.bytes(), head.length(), limits);
    }

    private void refuse(HeadError fault, boolean endsStream) {
        stream.body().expect(/* length= */ -1, endsStream);
        requestState.startFaulty();
        requestState.setVersion(connection.version());
        edits.start();
        recorder.beginFaulty(head.bytes(), head.length());
        responses.fault(fault, requestState);
        stream.finishWithLocalResponse();
    }

    /** Starts a request with a malformed head; {@link MultiplexLoop#head} holds the part before the error. */
    void beginMalformed(boolean endsStream) {
        grpc = false;
        waitingRoute = null;
        head.copyFrom(loop.head.text());
        stream.body().expect(/* length= */ -1, endsStream);
        requestState.startFaulty();
        requestState.setVersion(connection.version());
        edits.start();
        recorder.beginFaulty(head.bytes(), head.length());
    }

    private void begin(RequestScanner request, boolean endsStream) {
        requestState.start(request);
        requestState.setVersion(connection.version());
        boolean tunnel = asksForTunnel();
        edits.start();
        recorder.begin(request);
        if (address.isBehindProxy()) {
            address.read(request);
        }
        if (endsStream && request.contentLength > 0) {
            stream.resetMalformed(HeadError.WRONG_BODY_LENGTH.text);
            return;
        }
        stream.body().expect(request.contentLength, endsStream);
        grpc = !tunnel && GrpcFailure.isGrpc(request);
        Route route = listener.settings().routes().find(request, address.bytes(), loop.routing);
        edits.setRequest(request, route.edits());
        complete = endsStream || tunnel;
        PolicyChain policies = route.policies();
        if (request.contentLength > settings.config().limits().bodyBytes()) {
            responses.failure(Failure.REQUEST_TOO_LARGE, request, requestState, /* close= */ false);
            stream.finishWithLocalResponse();
        } else if (policies == null) {
            serve(route, request);
        } else {
            evaluate(policies, route, request);
        }
    }

    private void evaluate(PolicyChain policies, Route route, RequestScanner request) {
        PolicyExchange evaluation = edits.policies(this);
        undecidedRoute = route;
        PolicyExchange.Outcome outcome = evaluation.begin(policies, request, address.bytes());
        if (outcome == PolicyExchange.Outcome.PENDING) {
            return;
        }
        stream.body().stopReading();
        undecidedRoute = null;
        if (outcome == PolicyExchange.Outcome.PASSED) {
            serve(edits.passedRoute(request, route), request);
        } else {
            answer(evaluation);
        }
    }

    @Override
    public @Nullable BackendRequest composeRequest() {
        return undecidedRoute instanceof Route.ToPool to ? loop.composer.compose(to, address, edits) : null;
    }

    @Override
    public void readBody(BodyRead read) {
        if (complete) {
            read.result().complete(RequestBody.EMPTY);
        } else if (read.needsWhole() && loop.request.contentLength > read.maxBytes()) {
            read.result().complete(RequestBody.TOO_LARGE);
        } else {
            if (loop.request.hasExpect) {
                stream.sendContinue();
            }
            stream.body().read(read);
        }
    }

    @Override
    public RoutedRequest restoreRequest() {
        scan();
        return loop.request;
    }

    @Override
    public void policiesDecided(PolicyExchange.Outcome outcome) {
        Route route = requireNonNull(undecidedRoute);
        undecidedRoute = null;
        stream.body().stopReading();
        scanned = true;
        try {
            if (outcome == PolicyExchange.Outcome.PASSED) {
                stream.restartBodyDeadline();
                serve(edits.passedRoute(loop.request, route), loop.request);
                stream.forwardRequest(); // includes the body data received so far
            } else {
                answer(edits.policies(this));
            }
        } finally {
            scanned = false;
        }
        connection.flushSoon();
    }

    /** Answers a request as a policy has decided. */
    private void answer(PolicyExchange evaluation) {
        ResponseSource source = grpc ? null : evaluation.answer().takeSource();
        if (source == null) {
            stream.answer(evaluation);
        } else {
            recorder.answeredLocally(evaluation.answer().reason());
            startLocally(source);
        }
    }

    private void serve(Route route, RequestScanner request) {
        if (route instanceof Route.Local local) {
            if (grpc) {
                stream.fail(Failure.NO_ROUTE);
            } else {
                recorder.answeredByFile(local.reason());
                startLocally(local.sources().open(request, loop.routing));
            }
        } else if (route instanceof Route.ToPool to) {
            if (complete) {
                startExchange(to, request);
            } else {
                waitingRoute = to; // body data may already have arrived
                connection.awaitBody(stream);
            }
        } else if (requestState.upgrade() != null
                && route instanceof Route.Fixed fixed
                && WebSocketHandshake.establishesTunnel(fixed.response().status())) {
            responses.failure(Failure.UPGRADE_REFUSED, request, requestState, /* close= */ false);
            stream.finishWithLocalResponse();
        } else {
            responses.answer(route, request, loop.routing, requestState, /* close= */ false);
            stream.finishWithLocalResponse();
        }
    }

    private boolean asksForTunnel() {
        byte[] key = loop.head.webSocketKey();
        UpgradeProtocol webSocket = connection.webSocket();
        if (key == null || webSocket == null) {
            return false;
        }
        requestState.setUpgrade(webSocket.withExpectedAccept(WebSocketHandshake.accept(key)));
        stream.requestTunnel();
        return true;
    }

    /**
     * Whether the request waits for its policies, or is routed but not forwarded yet. While it waits, the stream can
     * receive body data that arrived together with the head.
     */
    boolean isWaiting() {
        return waitingRoute != null || undecidedRoute != null;
    }

    /** Records that the request was answered without a backend. */
    void answeredLocally() {
        waitingRoute = null;
        undecidedRoute = null;
    }

    /** Sends the request with the body data received so far. */
    void forwardWaiting(boolean isBodiless) {
        Route.ToPool to = waitingRoute;
        if (to != null) {
            waitingRoute = null;
            if (isBodiless) {
                stream.body().expectNone();
                Http1RequestHeadBuilder.removeTransferEncoding(head);
            }
            scan();
            if (isBodiless) {
                requestState.setBodiless();
            }
            scanned = true;
            try {
                startExchange(to, loop.request);
            } finally {
                scanned = false;
            }
        }
    }

    private void startExchange(Route.ToPool to, RequestScanner request) {
        edits.setClientKeys(to, request, loop.routing, keys);
        requestState.setRoute(to);
        recorder.setExchange(exchange);
        exchange.begin(to.pool(), to.generation());
        stream.body().awaitMore();
    }

    /**
     * Starts an exchange that a local source answers. The body of the request, which may still arrive, is discarded.
     */
    private void startLocally(ResponseSource source) {
        recorder.setExchange(exchange);
        exchange.beginLocal(source);
        stream.body().awaitMore();
    }

    /** Whether the request is a gRPC call. */
    boolean isGrpc() {
        return grpc;
    }

    /** Returns the loop's scanner with this request's head, valid until the next scan. */
    RequestScanner scanned() {
        if (!scanned) {
            scan();
        }
        return loop.request;
    }

    /**
     * Composes the head for a backend, with room for {@code bodyBytes} of body after it; null for a local source, which
     * gets no head.
     */
    ByteBuf compose(@Nullable Backend backend, int bodyBytes) {
        scanned();
        return loop.composer.compose(requestState, address, edits, backend, bodyBytes);
    }

    /** Releases the head. */
    void release() {
        waitingRoute = null;
        undecidedRoute = null;
        head.release();
    }
}
