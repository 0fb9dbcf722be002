package io.ballast.http.h1.client;

import static java.util.Objects.requireNonNull;

import io.ballast.http.config.ListenerConfig;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ClientSide;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.RequestProperties;
import io.ballast.http.exchange.TunnelSide;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.forwarding.PeerConnection;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.ScanResult;
import io.ballast.http.local.ResponseSource;
import io.ballast.http.net.PeerAddress;
import io.ballast.http.net.ProxiedClient;
import io.ballast.http.net.Worker;
import io.ballast.http.policy.PolicyChain;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.RequestCopy;
import io.ballast.http.relay.ClientKeys;
import io.ballast.http.relay.Failure;
import io.ballast.http.route.destination.Route;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.http.serving.ClientDeadline;
import io.ballast.http.serving.ClientOutput;
import io.ballast.http.serving.ExchangeRecorder;
import io.ballast.http.serving.HeaderContext;
import io.ballast.http.serving.LocalResponses;
import io.ballast.http.serving.RequestState;
import io.ballast.http.trace.RequestTrace;
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
final class Http1Session implements ClientSide, PolicyExchange.Owner {

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
    private final ClientAddress address;
    private final ClientKeys keys;
    private final RequestState requestState = new RequestState();
    private final HeaderContext headerContext;
    private final Exchange exchange;
    private final ExchangeRecorder recorder;
    private final ClientOutput output;
    private final ClientDeadline deadline;
    private final ReceiveBuffer receiveBuffer;
    private final RequestReader reader;
    private final RequestRelay requestRelay;
    private final ResponseRelay responseRelay;
    private final LocalResponses responses;
    private final @Nullable PlainHttpRefusal plainHttp;
    private final KeepAlive keepAlive;
    private final EarlyTermination termination;

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
        ListenerConfig config = settings.config();
        Worker worker = loop.worker;
        boolean secure = config.tls().isPresent();
        this.loop = loop;
        this.listener = listener;
        this.settings = settings;
        this.address = new ClientAddress(
                new PeerConnection(peer, PeerAddress.port(local), secure, /* http2= */ false), settings.forwarding());
        this.output = output;
        this.deadline = deadline;
        this.headerContext = new HeaderContext(worker, settings.headers(), address);
        headerContext.setConnection(channel);
        this.keys = new ClientKeys(PeerAddress.affinity(peer, worker.random()));
        this.exchange = new Exchange(
                worker, backends, listener, config.deadlines(), this, new ProxiedClient(peer, local), keys);
        this.recorder = new ExchangeRecorder(listener, settings, worker, requestState, output, address, headerContext);
        this.receiveBuffer = new ReceiveBuffer(worker.allocator());
        this.reader =
                new RequestReader(loop, receiveBuffer, HeadLimits.of(config.limits()), config.underscores(), secure);
        this.requestRelay = new RequestRelay(
                loop.composer,
                exchange,
                requestState,
                address,
                headerContext,
                receiveBuffer,
                output,
                deadline,
                config.limits().bodyBytes());
        this.responseRelay = new ResponseRelay(loop, listener, output, headerContext, requestState);
        this.responses = new LocalResponses(worker, listener, output, headerContext, loop.lines, recorder);
        this.plainHttp = settings.plainHttp() == null
                ? null
                : new PlainHttpRefusal(
                        settings.plainHttp(), settings, headerContext, responses, requestState, loop.routing);
        this.keepAlive = new KeepAlive(worker, listener, settings, requestState, output, deadline);
        this.termination = new EarlyTermination(
                this, exchange, requestState, receiveBuffer, requestRelay, responses, output, deadline);
    }

    State state() {
        return state;
    }

    EarlyTermination termination() {
        return termination;
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
                    endIfFaulty(requestRelay.receive(received));
                } else {
                    receiveBuffer.add(received);
                    output.setReading(false);
                }
            }
            case POLICIES -> {
                receiveBuffer.add(received);
                output.setReading(false);
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
        return requestRelay.isOpen();
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
        switch (evaluation.begin(policies, request, address.bytes())) {
            case PASSED -> serve(headerContext.passedRoute(request, route), request);
            case ANSWERED -> answer(evaluation, request);
            case PENDING -> {
                waitingRoute = route;
                state = State.POLICIES;
            }
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
            serveLocally(source, evaluation.answer().reason(), request);
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
            serveLocally(local.sources().open(request, loop.routing), local.reason(), request);
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
        headerContext.setClientKeys(to, request, loop.routing, keys);
        requestState.setRoute(to);
        startServing(request);
        exchange.begin(to.pool(), to.generation());
    }

    private void serveLocally(ResponseSource source, String reason, RequestScanner request) {
        recorder.answeredLocally(reason);
        startServing(request);
        exchange.beginLocal(source);
    }

    private void startServing(RequestScanner request) {
        requestState.storeHead(receiveBuffer.removeFirst(request.end));
        state = State.SERVING;
        requestRelay.begin();
        recorder.setExchange(exchange);
    }

    // ---- sending the request

    @Override
    public void sendRequest(BackendSide backend) {
        if (!handling) {
            reader.rescan(requireNonNull(requestState.head()));
        }
        endIfFaulty(requestRelay.send(backend));
    }

    @Override
    public boolean isFirstRequest() {
        return requestState.number() == 1;
    }

    @Override
    public RequestProperties request() {
        return requestState;
    }

    @Override
    public void resumeRequest() {
        endIfFaulty(requestRelay.resume());
    }

    @Override
    public boolean canSendAgain() {
        return requestState.canBeSentAgain() && state != State.CLOSED;
    }

    private void endIfFaulty(@Nullable Failure bodyFault) {
        if (bodyFault != null) {
            termination.refuseBody(bodyFault);
        }
    }

    // ---- forwarding the response

    @Override
    public @Nullable PolicyExchange responsePolicies() {
        return headerContext.responsePolicies();
    }

    @Override
    public @Nullable RequestTrace recordedTrace() {
        return headerContext.recordedTrace();
    }

    @Override
    public @Nullable RequestCopy requestCopy() {
        return headerContext.requestCopy();
    }

    @Override
    public void informational(ResponseScanner head, ByteBuf received) {
        responseRelay.informational(head, received);
    }

    @Override
    public void responseHead(ResponseScanner head, ByteBuf received, int bodyBytes, BodyFraming framing) {
        requestState.release();
        responseRelay.head(head, received, bodyBytes, framing, mayContinue());
        if (requestRelay.isOpen() && !requestRelay.isBlockedByBackend()) {
            deadline.expectNothing(); // request body and response are transferred at the same time
        }
    }

    @Override
    public TunnelSide tunnel(ResponseScanner head, ByteBuf received) {
        requestState.release();
        deadline.clear();
        ClientTunnel started = new ClientTunnel(output, receiveBuffer, requestState);
        tunnel = started;
        state = State.TUNNEL;
        responseRelay.switchProtocols(head, received);
        return started;
    }

    @Override
    public void responseBody(ByteBuf data) {
        responseRelay.body(data);
    }

    @Override
    public void flush() {
        output.flush();
    }

    @Override
    public boolean isWritable() {
        return output.isWritable();
    }

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
                resumeRequest();
            }
            case HEAD -> awaitRequest();
            case POLICIES, TUNNEL, ENDING, CLOSED -> {}
        }
    }

    @Override
    public void responseEnd() {
        output.flush();
        recorder.end(/* failure= */ null);
        nextRequest(requestState.announcesClose());
    }

    private boolean mayContinue() {
        return keepAlive.isAllowed(/* requestComplete= */ !requestRelay.isOpen());
    }

    private void nextRequest(boolean close) {
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

    @Override
    public boolean intercepts(ResponseScanner head) {
        return responses.intercepts(head);
    }

    @Override
    public void intercepted(int status) {
        RequestScanner request = restoredHead();
        boolean close = requestState.isVersion10() || !mayContinue();
        responses.intercepted(status, request, requestState, close);
        requestState.release();
        nextRequest(close);
    }

    /** The head of the request that is being served; null if it is not kept any more. */
    private @Nullable RequestScanner restoredHead() {
        ByteBuf head = requestState.head();
        if (head == null) {
            return null;
        }
        reader.rescan(head);
        return loop.request;
    }

    // ---- failures and the end of the session

    @Override
    public void fail(Failure failure) {
        if (requestState.isAnswered() || state == State.CLOSED) {
            responses.recordUnanswered(failure);
            output.abort(requestState.endsWithConnection()); // the client must detect the truncation
            return;
        }
        RequestScanner request = restoredHead();
        // After a framing error, both connections are closed, because the rest of the data cannot be trusted.
        boolean close = requestState.isVersion10() || failure == Failure.BAD_RESPONSE || !mayContinue();
        responses.failure(failure, request, requestState, close);
        requestState.release();
        nextRequest(close);
    }

    /** Ends the connection once pending output is sent; no request follows. */
    void endConnection() {
        if (state == State.CLOSED || state == State.ENDING) {
            return;
        }
        boolean isServing = state == State.SERVING || state == State.TUNNEL;
        boolean clientIsDone = isServing && !requestRelay.isOpen() && receiveBuffer.isEmpty();
        clientIsDone &= tunnel == null || tunnel.hasEnded();
        state = State.ENDING;
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
        deadline.remove();
        requestRelay.stop();
        if (inHead) {
            recordInvalidRequest();
            requestState.setStatus(400); // only for the access log; no response is sent
            responses.recordUnanswered(Failure.CLIENT_GONE);
        } else if (waitingRoute != null) {
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
