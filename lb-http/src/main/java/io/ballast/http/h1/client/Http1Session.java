package io.ballast.http.h1.client;

import static java.util.Objects.requireNonNull;

import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.Listener;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ScanResult;
import io.ballast.http.local.ResponseSource;
import io.ballast.http.policy.PolicyChain;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.relay.Failure;
import io.ballast.http.route.destination.Route;
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
final class Http1Session {

    private final ClientLoop loop;
    private final Listener listener;
    private final ConnectionSettings settings;
    private final ClientOutput output;
    private final ClientDeadline deadline;
    private final Http1ClientSide client;
    private final RequestState requestState;
    private final HeaderContext headerContext;
    private final Exchange exchange;
    private final ExchangeRecorder recorder;
    private final ReceiveBuffer receiveBuffer;
    private final RequestReader reader;
    private final RequestRelay requestRelay;
    private final RequestPolicies policies;
    private final LocalResponses responses;
    private final @Nullable PlainHttpRefusal plainHttp;

    private SessionState state = SessionState.HEAD;
    /** Whether a received request is being handled, so that the loop's scanner contains its head. */
    private boolean handling;

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
        this.requestState = client.requestState;
        this.headerContext = client.headerContext;
        this.exchange = client.exchange;
        this.recorder = client.recorder;
        this.receiveBuffer = client.receiveBuffer;
        this.reader = client.reader;
        this.requestRelay = client.requestRelay;
        this.responses = client.responses;
        this.policies = new RequestPolicies(this, loop, client, settings, output, deadline);
        this.plainHttp = settings.plainHttp() == null
                ? null
                : new PlainHttpRefusal(
                        settings.plainHttp(), settings, headerContext, responses, requestState, loop.routing);
    }

    SessionState state() {
        return state;
    }

    EarlyTermination termination() {
        return client.termination;
    }

    /** Whether a received request is being handled, so that the loop's scanner contains its head. */
    boolean isHandling() {
        return handling;
    }

    /** Starts to pass all further input to a tunnel. */
    void beginTunnel(ClientTunnel started) {
        tunnel = started;
        state = SessionState.TUNNEL;
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
            case POLICIES -> policies.received(received);
            case TUNNEL -> requireNonNull(tunnel).received(received);
            case ENDING -> output.discard(received);
            case CLOSED -> received.release();
        }
    }

    /** Called at the end of one read. */
    void readComplete() {
        if (state == SessionState.TUNNEL) {
            requireNonNull(tunnel).readComplete();
        }
        // Flushes local responses to pipelined requests together.
        output.flush();
    }

    /** Handles a channel event; see {@link ClientTunnel#event}. */
    void event(Object event) {
        if (state == SessionState.TUNNEL) {
            requireNonNull(tunnel).event(event);
        }
    }

    /** Whether more of a request's body is expected. */
    boolean expectsBody() {
        return requestRelay.isOpen() || policies.areReadingBody();
    }

    /** Whether a policy waits for the body of the request. */
    boolean isReadingAhead() {
        return policies.areReadingBody();
    }

    // ---- request heads

    /** Handles the received requests in sequence, until one of them must wait, for example for its backend. */
    private void readRequests() {
        if (handling) {
            return; // re-entrant call: a response was available immediately
        }
        handling = true;
        try {
            boolean more = true;
            while (more && state == SessionState.HEAD && !receiveBuffer.isEmpty() && output.isWritable()) {
                more = readRequest();
            }
        } finally {
            handling = false;
        }
        if (state == SessionState.HEAD && !output.isWritable()) {
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
            client.recordInvalidRequest();
            responses.fault(
                    plainHttp == null ? requireNonNull(loop.request.fault) : HeadError.PLAIN_HTTP, requestState);
            endConnection();
        } else if (!known && reader.isInHead()) {
            recorder.headBegins();
            deadline.awaitHead();
        }
        return false;
    }

    // ---- routing

    private void begin(RequestScanner request) {
        client.recordRequest(request);
        if (plainHttp != null) {
            plainHttp.refuse(request);
            endConnection();
            return;
        }
        Route route = listener.settings().routes().find(request, client.address.bytes(), loop.routing);
        headerContext.setRequest(request, route.edits());
        PolicyChain chain = route.policies();
        if (request.contentLength > settings.config().limits().bodyBytes()) {
            // The body is not read, so the connection must end.
            responses.failure(Failure.REQUEST_TOO_LARGE, request, requestState, /* close= */ true);
            endConnection();
        } else if (chain == null) {
            serve(route, request);
        } else {
            evaluate(chain, route, request);
        }
    }

    // ---- policies

    private void evaluate(PolicyChain chain, Route route, RequestScanner request) {
        PolicyExchange.Outcome outcome = policies.evaluate(chain, route, request);
        if (outcome == PolicyExchange.Outcome.PENDING) {
            state = SessionState.POLICIES;
        } else {
            follow(outcome, route, request);
        }
    }

    /** Continues with a request after its policies have made a delayed decision. */
    void policiesDecided(PolicyExchange.Outcome outcome, Route route) {
        state = SessionState.HEAD;
        if (output.hasClientFinished()) { // while reading is paused, a disconnect is not detected earlier
            responses.recordUnanswered(Failure.CLIENT_GONE);
            output.close();
            return;
        }
        handling = true;
        output.setReading(true);
        try {
            follow(outcome, route, loop.request);
        } finally {
            handling = false;
        }
        output.flush(); // this method runs outside of a read loop, so nothing else flushes
        if (state == SessionState.HEAD && output.isWritable()) {
            awaitRequest();
        }
    }

    private void follow(PolicyExchange.Outcome outcome, Route route, RequestScanner request) {
        if (outcome == PolicyExchange.Outcome.PASSED) {
            serve(headerContext.passedRoute(request, route), request);
        } else {
            answer(policies.evaluation(), request);
        }
    }

    private void answer(PolicyExchange evaluation, RequestScanner request) {
        ResponseSource source = evaluation.answer().takeSource();
        if (source != null) {
            recorder.answeredLocally(evaluation.answer().reason());
            serveLocally(source, request);
            return;
        }
        endOrAwaitRequest(client.localAnswers.answer(evaluation, request));
    }

    // ---- serving

    private void serve(Route route, RequestScanner request) {
        if (route instanceof Route.ToPool to) {
            forward(to, request);
        } else if (route instanceof Route.Local local) {
            recorder.answeredByFile(local.reason());
            serveLocally(local.sources().open(request, loop.routing), request);
        } else {
            endOrAwaitRequest(client.localAnswers.answer(route, request));
        }
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
        state = SessionState.SERVING;
        requestRelay.begin();
        recorder.setExchange(exchange);
    }

    // ---- the client's output

    /** Called when the writability of the client's channel has changed. */
    void writabilityChanged() {
        if (state == SessionState.TUNNEL) {
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
        if (close || state != SessionState.SERVING || requestRelay.isOpen() || listener.isDraining()) {
            endConnection();
            return;
        }
        state = SessionState.HEAD;
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
            output.flush(); // this method may run outside of a read loop, where nothing else flushes
        }
        if (state == SessionState.HEAD) {
            output.setReading(output.isWritable());
        }
    }

    // ---- the end of the session

    /** Ends the connection once pending output is sent; no request follows. */
    void endConnection() {
        if (state == SessionState.CLOSED || state == SessionState.ENDING) {
            return;
        }
        boolean isServing = state == SessionState.SERVING || state == SessionState.TUNNEL;
        boolean clientIsDone = isServing && !requestRelay.isOpen() && receiveBuffer.isEmpty();
        clientIsDone &= tunnel == null || tunnel.hasEnded();
        state = SessionState.ENDING;
        policies.stop();
        requestRelay.stop();
        requestState.release();
        receiveBuffer.drop();
        client.keepAlive.end(clientIsDone);
    }

    /** Closes the connection: immediately if it is between requests, otherwise after the current request. */
    void drain() {
        if (state == SessionState.HEAD && receiveBuffer.isEmpty()) {
            state = SessionState.ENDING;
            client.keepAlive.endUnused();
        }
    }

    /** Cleans up after the connection has closed. */
    void end() {
        boolean inHead = state == SessionState.HEAD && reader.isInHead();
        boolean inPolicies = policies.areDeciding();
        state = SessionState.CLOSED;
        policies.stop();
        deadline.remove();
        requestRelay.stop();
        if (inHead) {
            client.recordInvalidRequest();
            requestState.setStatus(400); // only for the access log; no response is sent
            responses.recordUnanswered(Failure.CLIENT_GONE);
        } else if (inPolicies) {
            responses.recordUnanswered(Failure.CLIENT_GONE);
        } else if (exchange.isRunning()) {
            exchange.clientGone();
            responses.recordUnanswered(Failure.CLIENT_GONE);
        }
        recorder.end(Failure.CLIENT_GONE); // no effect if the recording has already ended
        requestState.release();
        receiveBuffer.drop();
    }
}
