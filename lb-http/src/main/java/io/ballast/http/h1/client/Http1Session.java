package io.ballast.http.h1.client;

import static java.util.Objects.requireNonNull;

import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.Listener;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ScanResult;
import io.ballast.http.local.ResponseSource;
import io.ballast.http.policy.BackendRequest;
import io.ballast.http.policy.BodyRead;
import io.ballast.http.policy.PolicyChain;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.relay.Failure;
import io.ballast.http.route.destination.Route;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.http.serving.ClientDeadline;
import io.ballast.http.serving.ClientOutput;
import io.ballast.http.serving.ExchangeRecorder;
import io.ballast.http.serving.HeaderContext;
import io.ballast.http.serving.LocalResponses;
import io.ballast.http.serving.RequestState;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Serves the requests of a client connection in sequence: reads a head, finds its route, and answers the request or
 * passes it to a backend. Decides whether another request may follow. The methods of this file are in the order of the
 * phases.
 *
 * <pre>
 *   HEAD ──► (POLICIES) ──► SERVING ──► HEAD ──► … ──► ENDING ──► CLOSED
 *                              └──► TUNNEL ──────────────►┘
 * </pre>
 *
 * Event-loop confined.
 */
final class Http1Session implements PolicyExchange.Owner {

    enum State {
        /** The connection waits for a request, or has received only a part of a request head. */
        HEAD,
        /** A policy decides later; the receive buffer begins with the head of the request. */
        POLICIES,
        /** A request is being served; its body may be incomplete. */
        SERVING,
        /** Client and backend have switched to another protocol. */
        TUNNEL,
        /** The last response was sent or is being sent; further input is discarded. */
        ENDING,
        CLOSED
    }

    private final ClientLoop loop;
    private final Listener listener;
    private final ConnectionSettings settings;
    private final ClientOutput output;
    private final ClientDeadline deadline;
    private final Http1ClientSide client;
    private final ClientAddress address;
    private final RequestState requestState;
    private final HeaderContext headerContext;
    private final Exchange exchange;
    private final ExchangeRecorder recorder;
    private final ReceiveBuffer receiveBuffer;
    private final RequestReader reader;
    private final RequestRelay requestRelay;
    private final BodyReadAhead readAhead;
    private final LocalResponses responses;
    private final KeepAlive keepAlive;
    private final @Nullable PlainHttpRefusal plainHttp;

    private State state = State.HEAD;
    /** Whether a received request is being handled, so that the loop's scanner contains its head. */
    private boolean handling;

    /** The route of the request while its policies decide; null otherwise. */
    private @Nullable Route waitingRoute;

    private @Nullable ClientTunnel tunnel;

    Http1Session(
            ClientLoop loop,
            ConnectionSource backends,
            Listener listener,
            ConnectionSettings settings,
            Channel channel,
            SocketAddress peer,
            SocketAddress local,
            ClientOutput output,
            ClientDeadline deadline) {
        this.loop = loop;
        this.listener = listener;
        this.settings = settings;
        this.output = output;
        this.deadline = deadline;
        this.client =
                new Http1ClientSide(this, loop, backends, listener, settings, channel, peer, local, output, deadline);
        this.address = client.address;
        this.requestState = client.requestState;
        this.headerContext = client.headerContext;
        this.exchange = client.exchange;
        this.recorder = client.recorder;
        this.receiveBuffer = client.receiveBuffer;
        this.reader = client.reader;
        this.requestRelay = client.requestRelay;
        this.responses = client.responses;
        this.keepAlive = client.keepAlive;
        this.readAhead = new BodyReadAhead(
                loop.worker,
                receiveBuffer,
                output,
                deadline,
                settings.config().limits().bodyBytes());
        this.plainHttp = settings.plainHttp() == null
                ? null
                : new PlainHttpRefusal(
                        settings.plainHttp(), settings, headerContext, responses, requestState, loop.routing);
    }

    State state() {
        return state;
    }

    EarlyTermination termination() {
        return client.termination;
    }

    /** Whether a received request is being handled, so that the loop's scanner contains its head. */
    boolean isHandling() {
        return handling;
    }

    /** Begins to pass further input to a tunnel. */
    void beginTunnel(ClientTunnel started) {
        tunnel = started;
        state = State.TUNNEL;
    }

    /**
     * Returns the number of bytes held for the current request and response, excluding output that the client has
     * not yet accepted.
     */
    long bufferedBytes() {
        return receiveBuffer.readableBytes() + requestState.bufferedBytes() + exchange.pendingBytes();
    }

    // ---- client input

    /** Handles received data; consumes it. */
    void received(ByteBuf received) {
        switch (state) {
            case HEAD -> {
                receiveBuffer.add(received);
                readRequests();
            }
            case SERVING -> {
                if (requestRelay.isOpen()) {
                    client.endIfFaulty(requestRelay.receive(received));
                } else {
                    receiveBuffer.add(received);
                    output.setReading(false);
                }
            }
            case POLICIES -> {
                int bytes = received.readableBytes();
                receiveBuffer.add(received);
                if (readAhead.isActive()) {
                    refuseIfFaulty(readAhead.received(bytes));
                } else {
                    output.setReading(false);
                }
            }
            case TUNNEL -> requireNonNull(tunnel).received(received);
            case ENDING -> output.discard(received);
            case CLOSED -> received.release();
        }
    }

    /** Called at the end of one read. */
    void readComplete() {
        if (state == State.TUNNEL) {
            requireNonNull(tunnel).readComplete();
        }
        // Flushes local responses to pipelined requests together.
        output.flush();
    }

    /** Handles a channel event; see {@link ClientTunnel#event}. */
    void event(Object event) {
        if (state == State.TUNNEL) {
            requireNonNull(tunnel).event(event);
        }
    }

    /** Whether more of a request's body is expected. */
    boolean expectsBody() {
        return requestRelay.isOpen() || readAhead.isActive();
    }

    /** Whether a policy waits for the body of the request. */
    boolean isReadingAhead() {
        return readAhead.isActive();
    }

    // ---- request heads

    /** Handles the received requests in sequence, until one has to wait for its backend. */
    private void readRequests() {
        if (handling) {
            return; // re-entrant call: a response was available immediately
        }
        handling = true;
        try {
            boolean more = true;
            while (more && state == State.HEAD && !receiveBuffer.isEmpty() && output.isWritable()) {
                more = readRequest();
            }
        } finally {
            handling = false;
        }
        if (state == State.HEAD && !output.isWritable()) {
            output.setReading(false); // reading resumes when the client has read the pending output
        }
    }

    /** Handles the next request; false if it is incomplete or invalid. */
    private boolean readRequest() {
        boolean known = reader.isInHead();
        ScanResult result = reader.next();
        if (result == ScanResult.COMPLETE) {
            deadline.clear();
            begin(loop.request);
            return true;
        }
        if (result == ScanResult.REJECTED) {
            recordInvalidRequest();
            responses.fault(
                    plainHttp == null ? requireNonNull(loop.request.fault) : HeadError.PLAIN_HTTP, requestState);
            endConnection();
        } else if (!known && reader.isInHead()) {
            recorder.headBegins();
            deadline.awaitHead();
        }
        return false;
    }

    /** Records a request whose head is incomplete or invalid. */
    void recordInvalidRequest() {
        reader.abandon();
        requestState.startFaulty();
        headerContext.start();
        recorder.beginFaulty(receiveBuffer.bytes());
    }

    // ---- routing

    private void begin(RequestScanner request) {
        requestState.start(request);
        requestState.setUpgrade(UpgradeRequest.protocol(request, settings.upgrades()));
        headerContext.start();
        recorder.begin(request);
        if (address.isBehindProxy()) {
            address.read(request);
        }
        if (plainHttp != null) {
            plainHttp.refuse(request);
            endConnection();
            return;
        }
        Route route = listener.settings().routes().find(request, address.bytes(), loop.routing);
        headerContext.setRequest(request, route.edits());
        PolicyChain policies = route.policies();
        if (request.contentLength > settings.config().limits().bodyBytes()) {
            // The body is not read, so the connection must end.
            responses.failure(Failure.REQUEST_TOO_LARGE, request, requestState, /* close= */ true);
            endConnection();
        } else if (policies == null) {
            serve(route, request);
        } else {
            evaluate(policies, route, request);
        }
    }

    // ---- policies

    private void evaluate(PolicyChain policies, Route route, RequestScanner request) {
        PolicyExchange evaluation = headerContext.policies(this);
        waitingRoute = route;
        PolicyExchange.Outcome outcome = evaluation.begin(policies, request, address.bytes());
        if (outcome == PolicyExchange.Outcome.PENDING) {
            state = State.POLICIES;
            return;
        }
        readAhead.stop();
        waitingRoute = null;
        if (outcome == PolicyExchange.Outcome.PASSED) {
            serve(headerContext.passedRoute(request, route), request);
        } else {
            answer(evaluation, request);
        }
    }

    @Override
    public @Nullable BackendRequest composeRequest() {
        return waitingRoute instanceof Route.ToPool to ? loop.composer.compose(to, address, headerContext) : null;
    }

    @Override
    public void readBody(BodyRead read) {
        if (readAhead.begin(read, loop.request, requestState.body()) != null) {
            loop.worker.eventLoop().execute(() -> refuseIfFaulty(readAhead.fault())); // after the evaluation
        }
    }

    /** Answers a request whose body is invalid, while its policies wait for the body. */
    private void refuseIfFaulty(@Nullable HeadError fault) {
        if (fault != null && state == State.POLICIES) {
            responses.fault(fault, requestState); // ends the evaluation
            endConnection();
        }
    }

    @Override
    public RoutedRequest restoreRequest() {
        reader.rescan(receiveBuffer.bytes());
        return loop.request;
    }

    @Override
    public void policiesDecided(PolicyExchange.Outcome outcome) {
        Route route = requireNonNull(waitingRoute);
        waitingRoute = null;
        readAhead.stop();
        state = State.HEAD;
        if (output.hasClientFinished()) { // not noticed before if reading was paused
            responses.recordUnanswered(Failure.CLIENT_GONE);
            output.close();
            return;
        }
        handling = true;
        output.setReading(true);
        try {
            if (outcome == PolicyExchange.Outcome.PASSED) {
                serve(headerContext.passedRoute(loop.request, route), loop.request);
            } else {
                answer(headerContext.policies(this), loop.request);
            }
        } finally {
            handling = false;
        }
        output.flush(); // outside of a read, nothing else would flush
        if (state == State.HEAD && output.isWritable()) {
            awaitRequest();
        }
    }

    private void answer(PolicyExchange evaluation, RequestScanner request) {
        ResponseSource source = evaluation.answer().takeSource();
        if (source != null) {
            recorder.answeredLocally(evaluation.answer().reason());
            serveLocally(source, request);
            return;
        }
        receiveBuffer.skip(request.end);
        boolean mayFollow = keepAlive.isAllowed(requestRelay.skipIfComplete());
        boolean close = !mayFollow || evaluation.answer().closes();
        responses.policy(evaluation, request, requestState, close);
        endOrAwaitRequest(close);
    }

    private void serve(Route route, RequestScanner request) {
        if (route instanceof Route.ToPool to) {
            forward(to, request);
        } else if (route instanceof Route.Local local) {
            recorder.answeredByFile(local.reason());
            serveLocally(local.sources().open(request, loop.routing), request);
        } else {
            answerLocally(route, request);
        }
    }

    /**
     * Answers a request whose route selects no pool. If the whole request body has been received, skips it;
     * otherwise closes the connection.
     */
    private void answerLocally(Route route, RequestScanner request) {
        receiveBuffer.skip(request.end);
        boolean mayFollow = keepAlive.isAllowed(requestRelay.skipIfComplete());
        endOrAwaitRequest(responses.answer(route, request, loop.routing, requestState, /* close= */ !mayFollow));
    }

    private void endOrAwaitRequest(boolean close) {
        if (close) {
            endConnection();
        } else if (output.isWritable()) {
            deadline.awaitNextRequest();
        }
    }

    private void forward(Route.ToPool to, RequestScanner request) {
        headerContext.setClientKeys(to, request, loop.routing, client.keys);
        requestState.setRoute(to);
        startServing(request);
        exchange.begin(to.pool(), to.generation());
    }

    private void serveLocally(ResponseSource source, RequestScanner request) {
        startServing(request);
        exchange.beginLocal(source);
    }

    private void startServing(RequestScanner request) {
        requestState.storeHead(receiveBuffer.removeFirst(request.end));
        state = State.SERVING;
        requestRelay.begin();
        recorder.setExchange(exchange);
    }

    // ---- the client's output

    /** Called when the writability of the client's channel has changed. */
    void writabilityChanged() {
        if (state == State.TUNNEL) {
            requireNonNull(tunnel).writable();
            return;
        }
        if (!output.isWritable()) {
            deadline.awaitReader();
            return;
        }
        switch (state) {
            case SERVING -> {
                deadline.clear();
                exchange.clientWritable();
                client.resumeRequest();
            }
            case HEAD -> awaitRequest();
            case POLICIES, TUNNEL, ENDING, CLOSED -> {}
        }
    }

    /** Waits for the next request after a response, or ends the connection. */
    void nextRequest(boolean close) {
        if (close || state != State.SERVING || requestRelay.isOpen() || listener.isDraining()) {
            endConnection();
            return;
        }
        state = State.HEAD;
        if (output.isWritable()) {
            awaitRequest();
        } else {
            output.setReading(false); // reading resumes when the client has read the pending output
        }
    }

    private void awaitRequest() {
        deadline.awaitNextRequest();
        if (!receiveBuffer.isEmpty()) {
            readRequests();
            output.flush(); // this method may run outside a read loop, where nothing else flushes
        }
        if (state == State.HEAD) {
            output.setReading(output.isWritable());
        }
    }

    // ---- the end of the session

    /** Ends the connection once pending output is sent; no request follows. */
    void endConnection() {
        if (state == State.CLOSED || state == State.ENDING) {
            return;
        }
        boolean isServing = state == State.SERVING || state == State.TUNNEL;
        boolean clientIsDone = isServing && !requestRelay.isOpen() && receiveBuffer.isEmpty();
        clientIsDone &= tunnel == null || tunnel.hasEnded();
        state = State.ENDING;
        waitingRoute = null;
        readAhead.stop();
        requestRelay.stop();
        requestState.release();
        receiveBuffer.drop();
        keepAlive.end(clientIsDone);
    }

    /** Closes the connection: immediately if it is between requests, otherwise after the current request. */
    void drain() {
        if (state == State.HEAD && receiveBuffer.isEmpty()) {
            state = State.ENDING;
            keepAlive.endUnused();
        }
    }

    /** Cleans up after the connection has closed. */
    void end() {
        boolean inHead = state == State.HEAD && reader.isInHead();
        state = State.CLOSED;
        readAhead.stop();
        deadline.remove();
        requestRelay.stop();
        if (inHead) {
            recordInvalidRequest();
            requestState.setStatus(400); // only for the access log; no response is sent
            responses.recordUnanswered(Failure.CLIENT_GONE);
        } else if (waitingRoute != null) {
            waitingRoute = null; // this method may be called again
            responses.recordUnanswered(Failure.CLIENT_GONE);
        } else if (exchange.isRunning()) {
            exchange.clientGone();
            responses.recordUnanswered(Failure.CLIENT_GONE);
        }
        recorder.end(Failure.CLIENT_GONE); // no effect if already ended
        requestState.release();
        receiveBuffer.drop();
    }
}
