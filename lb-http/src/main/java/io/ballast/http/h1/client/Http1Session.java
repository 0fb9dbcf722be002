package io.ballast.http.h1.client;

import static java.util.Objects.requireNonNull;

import io.ballast.core.balance.Affinity;
import io.ballast.core.stats.Counters;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ClientSide;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.exchange.RequestProperties;
import io.ballast.http.exchange.TunnelSide;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.forwarding.PeerConnection;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.net.PeerAddress;
import io.ballast.http.net.ProxiedClient;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.ClientKeys;
import io.ballast.http.relay.Failure;
import io.ballast.http.route.destination.Route;
import io.ballast.http.serving.AffinityKeys;
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
 * Serves the requests of a client connection in sequence. Holds the state of the current request, from its head to the
 * end of its response, and decides whether another one may follow.
 *
 * <pre>
 *   HEAD ──► SERVING ──► HEAD ──► … ──► ENDING ──► CLOSED
 *               └──► TUNNEL ──────────────►┘
 * </pre>
 *
 * Event-loop confined.
 */
final class Http1Session implements ClientSide {

    private enum State {
        /** Between requests, or within a head. */
        HEAD,
        /** A request is being served; its body may be incomplete. */
        SERVING,
        /** Client and backend have switched to another protocol. */
        TUNNEL,
        /** The last response is sent or in transit; input is discarded. */
        ENDING,
        CLOSED
    }

    private final ClientLoop loop;
    private final Listener listener;
    private final Counters.Shard<ListenerCounter> counters;
    private final ClientAddress address;
    private final RequestState requestState = new RequestState();
    private final HeaderContext headerContext;
    private final ClientKeys keys;
    private final Exchange exchange;
    private final ExchangeRecorder recorder;
    private final ClientOutput output;
    private final ClientDeadline deadline;
    private final ReceiveBuffer receiveBuffer;
    private final RequestDispatcher dispatcher;
    private final RequestBody body;
    private final RequestRelay requestRelay;
    private final ResponseRelay responseRelay;
    private final LocalResponses responses;
    private final KeepAlive keepAlive;

    private State state = State.HEAD;
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
        this.loop = loop;
        this.listener = listener;
        this.counters = listener.counters().shard(worker.index());
        this.address = new ClientAddress(
                new PeerConnection(peer, PeerAddress.port(local), config.tls().isPresent(), /* http2= */ false),
                settings.forwarding());
        this.output = output;
        this.deadline = deadline;
        this.headerContext = new HeaderContext(worker, settings.headers(), address);
        headerContext.setConnection(channel);
        this.keys = new ClientKeys(PeerAddress.affinity(peer, worker.random()));
        this.exchange = new Exchange(
                worker, backends, listener, config.deadlines(), this, new ProxiedClient(peer, local), keys);
        this.recorder = new ExchangeRecorder(listener, settings, worker, requestState, output, address, headerContext);
        this.receiveBuffer = new ReceiveBuffer(worker.allocator());
        this.body = new RequestBody(
                receiveBuffer,
                requestState,
                exchange,
                output,
                deadline,
                config.limits().bodyBytes());
        this.requestRelay = new RequestRelay(loop, exchange, requestState, address, headerContext, body);
        this.responseRelay = new ResponseRelay(loop, output, headerContext);
        this.responses = new LocalResponses(worker, listener, output, headerContext, loop.lines, recorder);
        this.keepAlive = new KeepAlive(worker, listener, settings, requestState, output, deadline);
        this.dispatcher = new RequestDispatcher(
                this,
                loop,
                listener,
                settings,
                receiveBuffer,
                output,
                deadline,
                address,
                requestState,
                headerContext,
                recorder,
                responses);
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
                dispatcher.readRequests();
            }
            case SERVING -> {
                if (body.isOpen()) {
                    handleBodyFault(body.receive(received));
                } else {
                    receiveBuffer.add(received);
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
        return body.isOpen();
    }

    // ---- request dispatch

    boolean isBetweenRequests() {
        return state == State.HEAD;
    }

    /** Completes a local response; {@code close} is true if no request may follow. */
    void completeLocalResponse(boolean close) {
        if (close) {
            endConnection();
        } else if (output.isWritable()) {
            deadline.awaitNextRequest();
        }
    }

    /** Whether another request may follow a local response. Skips the request's body if it is complete. */
    boolean mayContinueAfterLocalResponse() {
        return keepAlive.isAllowed(body.skipIfComplete());
    }

    /** Forwards a request to a backend. */
    void serve(Route.ToPool to, RequestScanner request) {
        if (address.isBehindProxy()) {
            keys.setClientKey(Affinity.DEFAULT.of(address.bytes()));
        }
        AffinityKeys.setKeys(to, request, address, loop.routing, keys, headerContext);
        requestState.setRoute(to);
        requestState.storeHead(receiveBuffer.removeFirst(request.end));
        state = State.SERVING;
        body.begin();
        recorder.setExchange(exchange);
        exchange.begin(to.pool(), to.generation());
    }

    // ---- sending the request

    @Override
    public void sendRequest(BackendSide backend) {
        if (!dispatcher.isHandling()) {
            dispatcher.rescan(requireNonNull(requestState.head()));
        }
        handleBodyFault(requestRelay.send(backend));
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
        handleBodyFault(body.resume());
    }

    @Override
    public boolean canSendAgain() {
        return requestState.canBeSentAgain() && state != State.CLOSED;
    }

    private void handleBodyFault(@Nullable Failure bodyFault) {
        if (bodyFault != null) {
            refuseBody(bodyFault);
        }
    }

    /** Ends an exchange whose body is invalid, with an error response if none has begun. */
    private void refuseBody(Failure failure) {
        exchange.clientGone();
        if (requestState.isAnswered()) {
            responses.recordUnanswered(failure);
            output.close();
            return;
        }
        HeadError fault = requestState.body().fault();
        if (fault != null) {
            responses.fault(fault, requestState);
        } else {
            responses.failure(failure, null, requestState, /* close= */ true);
        }
        endConnection();
    }

    // ---- forwarding the response

    @Override
    public void informational(ResponseScanner head, ByteBuf received) {
        counters.increment(ListenerCounter.RESPONSES_1XX);
        responseRelay.informational(head, received, requestState);
    }

    @Override
    public void responseHead(ResponseScanner head, ByteBuf received, int bodyBytes, BodyFraming framing) {
        requestState.release();
        counters.increment(ListenerCounter.ofStatus(head.status()));
        responseRelay.head(head, received, bodyBytes, framing, requestState, mayContinue());
        if (body.isOpen() && !body.isBlockedByBackend()) {
            deadline.expectNothing(); // request and response are in progress at the same time
        }
    }

    @Override
    public TunnelSide tunnel(ResponseScanner head, ByteBuf received) {
        requestState.release();
        counters.increment(ListenerCounter.RESPONSES_1XX);
        deadline.clear();
        ClientTunnel started = new ClientTunnel(output, receiveBuffer, requestState);
        tunnel = started;
        state = State.TUNNEL;
        responseRelay.switchProtocols(head, received, requestState);
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
            case TUNNEL, ENDING, CLOSED -> {}
        }
    }

    @Override
    public void responseEnd() {
        output.flush();
        recorder.end(/* failure= */ null);
        nextRequest(requestState.announcesClose());
    }

    private boolean mayContinue() {
        return keepAlive.isAllowed(/* requestComplete= */ !body.isOpen());
    }

    private void nextRequest(boolean close) {
        if (close || state != State.SERVING || body.isOpen() || listener.isDraining()) {
            endConnection();
            return;
        }
        state = State.HEAD;
        if (output.isWritable()) {
            awaitRequest();
        } else {
            output.setReading(false); // resumes when the client has read the pending output
        }
    }

    private void awaitRequest() {
        deadline.awaitNextRequest();
        if (!receiveBuffer.isEmpty()) {
            dispatcher.readRequests();
            output.flush(); // outside of a read, nothing else would flush
        }
        if (state == State.HEAD) {
            output.setReading(output.isWritable());
        }
    }

    // ---- failures and the end

    @Override
    public void fail(Failure failure) {
        if (requestState.isAnswered() || state == State.CLOSED) {
            responses.recordUnanswered(failure);
            output.abort(requestState.endsWithConnection()); // the client must detect the truncation
            return;
        }
        ByteBuf head = requestState.head();
        if (head != null) {
            dispatcher.rescan(head);
        }
        // After a framing error, both connections are closed, because the rest of the data cannot be trusted.
        boolean close = requestState.isVersion10() || failure == Failure.BAD_RESPONSE || !mayContinue();
        responses.failure(failure, head == null ? null : loop.request, requestState, close);
        requestState.release();
        nextRequest(close);
    }

    /** Ends the connection once pending output is sent; no request follows. */
    void endConnection() {
        if (state == State.CLOSED || state == State.ENDING) {
            return;
        }
        boolean isServing = state == State.SERVING || state == State.TUNNEL;
        boolean clientIsDone = isServing && !body.isOpen() && receiveBuffer.isEmpty();
        clientIsDone &= tunnel == null || tunnel.hasEnded();
        state = State.ENDING;
        body.stop();
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
        boolean inHead = state == State.HEAD && dispatcher.isInHead();
        state = State.CLOSED;
        deadline.remove();
        body.stop();
        if (inHead) {
            dispatcher.recordInvalidRequest();
            requestState.setStatus(400); // for the access log only
            responses.recordUnanswered(Failure.CLIENT_GONE);
        } else if (exchange.isRunning()) {
            exchange.clientGone();
            responses.recordUnanswered(Failure.CLIENT_GONE);
        }
        recorder.end(Failure.CLIENT_GONE); // no effect if already ended
        requestState.release();
        receiveBuffer.drop();
    }

    // ---- slow clients

    /** Called when the client has missed its deadline. */
    void deadlineOver() {
        if ((state == State.ENDING || !output.isWritable()) && deadline.readerContinues()) {
            return;
        }
        if (state == State.SERVING && body.isBlockedByBackend() && output.isWritable()) {
            checkClientPresence();
        } else if (state == State.HEAD && !receiveBuffer.isEmpty() && output.isWritable()) {
            dispatcher.recordInvalidRequest();
            refuseSlowClient(Failure.REQUEST_HEAD_TIMEOUT);
        } else if (state == State.SERVING && body.isOpen() && !requestState.isAnswered()) {
            exchange.clientGone();
            refuseSlowClient(deadline.bodyFailure());
        } else {
            abortConnection();
        }
    }

    /** Checks whether the client has closed the connection while reading is paused. */
    private void checkClientPresence() {
        if (output.hasClientFinished()) {
            exchange.clientGone();
            responses.recordUnanswered(Failure.CLIENT_GONE);
            output.close();
        } else {
            deadline.awaitBackend();
        }
    }

    private void refuseSlowClient(Failure failure) {
        responses.failure(failure, null, requestState, /* close= */ true);
        endConnection();
    }

    /** Closes the connection and ends a running exchange. */
    private void abortConnection() {
        boolean unread = output.pendingBytes() > 0;
        if (unread) {
            exchange.clientGone();
            responses.recordUnanswered(Failure.SLOW_READER);
        }
        // A reset immediately frees the data that the system holds for a client that does not read, up to some MiB.
        output.abort(/* visibly= */ unread);
    }

    // ---- memory shortage

    /** Closes the connection, with an error response if that is still possible. */
    void shed() {
        boolean canBeTold = output.pendingBytes() == 0 && (state == State.HEAD || !requestState.isAnswered());
        if (!canBeTold || state == State.ENDING || state == State.CLOSED) {
            exchange.abort(Failure.SHED);
            responses.recordUnanswered(Failure.SHED);
            output.abort(/* visibly= */ true);
            return;
        }
        if (state == State.HEAD) {
            dispatcher.recordInvalidRequest();
        } else {
            exchange.abort(Failure.SHED);
        }
        refuseSlowClient(Failure.SHED);
    }
}
