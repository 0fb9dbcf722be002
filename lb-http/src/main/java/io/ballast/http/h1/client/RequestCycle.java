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
import io.ballast.http.exchange.TunnelSide;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.forwarding.PeerConnection;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.HeadFault;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.net.PeerAddress;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.http.route.destination.Route;
import io.ballast.http.serving.ClientDeadline;
import io.ballast.http.serving.ClientOutput;
import io.ballast.http.serving.ExchangeEdits;
import io.ballast.http.serving.ExchangeRecorder;
import io.ballast.http.serving.LocalResponses;
import io.ballast.http.serving.RequestState;
import io.ballast.http.serving.RequestTies;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a client's connection, one after the other: which state the present one is in, from its head to the end of
 * its response, and whether another one may follow.
 *
 * <pre>
 *   HEAD ──► SERVING ──► HEAD ──► … ──► ENDING ──► CLOSED
 *               └──► TUNNEL ──────────────►┘
 * </pre>
 *
 * Event-loop confined.
 */
final class RequestCycle implements ClientSide {

    private enum State {
        /** Between requests, or in the middle of a head. */
        HEAD,
        /** A request is being served; its body may still be coming. */
        SERVING,
        /** Client and backend have switched to another protocol. */
        TUNNEL,
        /** The last response is out, or on its way; input is thrown away. */
        ENDING,
        CLOSED
    }

    private final ClientLoop loop;
    private final Listener listener;
    private final Counters.Shard<ListenerCounter> counters;
    private final ClientAddress address;
    private final RequestState served = new RequestState();
    private final ExchangeEdits edits;
    private final Exchange exchange;
    private final ExchangeRecorder recorder;
    private final ClientOutput output;
    private final ClientDeadline deadline;
    private final ReceiveBuffer receiveBuffer;
    private final RequestIntake intake;
    private final RequestBody body;
    private final RequestRelay requestRelay;
    private final ResponseRelay responseRelay;
    private final LocalResponses responses;
    private final KeepAlive keepAlive;

    private State state = State.HEAD;
    private @Nullable ClientTunnel tunnel;

    RequestCycle(
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
        this.edits = new ExchangeEdits(worker, settings.headers(), address);
        edits.over(channel);
        this.exchange = new Exchange(
                worker, backends, listener, config.deadlines(), this, PeerAddress.affinity(peer, worker.random()));
        exchange.between(peer, local);
        this.recorder = new ExchangeRecorder(listener, settings, worker, served, output, address, edits);
        this.receiveBuffer = new ReceiveBuffer(worker.allocator());
        this.body = new RequestBody(
                receiveBuffer,
                served,
                exchange.bodies(),
                output,
                deadline,
                config.limits().bodyBytes());
        this.requestRelay = new RequestRelay(loop, exchange, served, address, edits, body);
        this.responseRelay = new ResponseRelay(loop, output, edits);
        this.responses = new LocalResponses(worker, listener, output, edits, loop.lines, recorder);
        this.keepAlive = new KeepAlive(worker, listener, settings, served, output, deadline);
        this.intake = new RequestIntake(
                this,
                loop,
                listener,
                settings,
                receiveBuffer,
                output,
                deadline,
                address,
                served,
                edits,
                recorder,
                responses);
    }

    /** Octets that it holds of the present request and its response, but what waits for the client. */
    long heldBytes() {
        return receiveBuffer.readableBytes()
                + served.heldBytes()
                + exchange.bodies().pendingBytes();
    }

    // ---- what the client sends

    /** Something was received, which it consumes. */
    void received(ByteBuf received) {
        switch (state) {
            case HEAD -> {
                receiveBuffer.add(received);
                intake.readRequests();
            }
            case SERVING -> {
                if (body.isOpen()) {
                    judge(body.receive(received));
                } else {
                    receiveBuffer.add(received);
                    output.reading(false);
                }
            }
            case TUNNEL -> requireNonNull(tunnel).received(received);
            case ENDING -> output.discard(received);
            case CLOSED -> received.release();
        }
    }

    /** All that was there was received. */
    void paused() {
        if (state == State.TUNNEL) {
            requireNonNull(tunnel).pause();
        }
        // Answers of our own to pipelined requests go out together.
        output.flush();
    }

    /** The channel tells of something; see {@link ClientTunnel#event}. */
    void event(Object event) {
        if (state == State.TUNNEL) {
            requireNonNull(tunnel).event(event);
        }
    }

    /** Whether more of a request's body is expected. */
    boolean expectsBody() {
        return body.isOpen();
    }

    // ---- the intake of requests

    boolean isBetweenRequests() {
        return state == State.HEAD;
    }

    /** A request was answered without a backend; {@code close} if none may follow. */
    void answered(boolean close) {
        if (close) {
            endConnection();
        } else if (output.isWritable()) {
            deadline.awaitNextRequest();
        }
    }

    /** Whether another request may follow one that was answered without its body, which is skipped if it is there. */
    boolean mayGoOnWithoutBody() {
        return keepAlive.isAllowed(body.skipWhole());
    }

    /** A request came that is for a backend. */
    void serve(Route.ToPool to, RequestScanner request) {
        if (address.isBehindProxy()) {
            exchange.affinity(Affinity.DEFAULT.of(address.octets()));
        }
        RequestTies.tie(to, request, address, loop.routing, exchange, edits);
        served.rewrite = to.rewrite();
        served.goesTo(to.pool());
        served.keepHead(receiveBuffer.take(request.end));
        state = State.SERVING;
        body.begin();
        recorder.balance(exchange);
        exchange.begin(
                to.pool(),
                to.generation(),
                request.method.name(),
                served.idempotent,
                served.headMethod,
                served.pipelinable,
                served.upgrade);
    }

    // ---- sending the request

    @Override
    public void sendRequest(BackendSide backend) {
        if (!intake.isHandling()) {
            intake.showAgain(requireNonNull(served.head()));
        }
        judge(requestRelay.send(backend));
    }

    @Override
    public boolean isFirstRequest() {
        return served.number == 1;
    }

    @Override
    public long announcedBodyBytes() {
        return served.announcedBodyBytes();
    }

    @Override
    public void resumeRequest() {
        judge(body.resume());
    }

    @Override
    public boolean canSendAgain() {
        return served.canBeSentAgain() && state != State.CLOSED;
    }

    private void judge(@Nullable Failure bodyFault) {
        if (bodyFault != null) {
            refuseBody(bodyFault);
        }
    }

    /** The rest of the body cannot be passed on: gives the exchange up, and says so if a response has not begun. */
    private void refuseBody(Failure failure) {
        exchange.clientGone();
        if (served.answered) {
            responses.untold(failure);
            output.close();
            return;
        }
        HeadFault fault = served.body.fault();
        if (fault != null) {
            responses.fault(fault, served);
        } else {
            responses.failure(failure, null, served, /* close= */ true);
        }
        endConnection();
    }

    // ---- passing the response on

    @Override
    public void informational(ResponseScanner head, ByteBuf received) {
        counters.increment(ListenerCounter.RESPONSES_1XX);
        responseRelay.informational(head, received, served);
    }

    @Override
    public void responseHead(ResponseScanner head, ByteBuf received, int bodyBytes, BodyFraming framing) {
        served.release();
        counters.increment(ListenerCounter.ofStatus(head.status()));
        responseRelay.head(head, received, bodyBytes, framing, served, mayGoOn());
        if (body.isOpen() && !body.isHeldUp()) {
            deadline.expectNothing(); // the two sides talk at the same time
        }
    }

    @Override
    public TunnelSide tunnel(ResponseScanner head, ByteBuf received) {
        served.release();
        counters.increment(ListenerCounter.RESPONSES_1XX);
        deadline.clear();
        ClientTunnel begun = new ClientTunnel(output, receiveBuffer, served);
        tunnel = begun;
        state = State.TUNNEL;
        responseRelay.switchProtocols(head, received, served);
        return begun;
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

    /** The client takes more, or as much as it may for now. */
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
                exchange.bodies().clientWritable();
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
        nextRequest(served.closes);
    }

    private boolean mayGoOn() {
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
            output.reading(false); // until the client has read what was sent to it
        }
    }

    private void awaitRequest() {
        deadline.awaitNextRequest();
        if (!receiveBuffer.isEmpty()) {
            intake.readRequests();
            output.flush(); // nothing was read now, so nobody else will
        }
        if (state == State.HEAD) {
            output.reading(output.isWritable());
        }
    }

    // ---- failing and ending

    @Override
    public void fail(Failure failure) {
        if (served.answered || state == State.CLOSED) {
            responses.untold(failure);
            output.cut(served.endsWithConnection); // the client must see that the response is not whole
            return;
        }
        ByteBuf head = served.head();
        if (head != null) {
            intake.showAgain(head);
        }
        // After a framing error both connections end: nobody knows what else is not as it seems.
        boolean close = served.version10 || failure == Failure.BAD_RESPONSE || !mayGoOn();
        responses.failure(failure, head == null ? null : loop.request, served, close);
        served.release();
        nextRequest(close);
    }

    /** No request follows: the connection ends once what is to be sent is out. */
    void endConnection() {
        if (state == State.CLOSED || state == State.ENDING) {
            return;
        }
        boolean isServing = state == State.SERVING || state == State.TUNNEL;
        boolean clientIsDone = isServing && !body.isOpen() && receiveBuffer.isEmpty();
        clientIsDone &= tunnel == null || tunnel.hasEnded();
        state = State.ENDING;
        body.stop();
        served.release();
        receiveBuffer.drop();
        keepAlive.end(clientIsDone);
    }

    /** Ends the connection if it is between two requests; else it ends after the present one. */
    void drain() {
        if (state == State.HEAD && receiveBuffer.isEmpty()) {
            state = State.ENDING;
            keepAlive.endUnused();
        }
    }

    /** The connection is closed. */
    void end() {
        boolean inHead = state == State.HEAD && intake.isInHead();
        state = State.CLOSED;
        deadline.remove();
        body.stop();
        if (inHead) {
            intake.beginFaulty();
            served.status = 400; // nobody is told, but the log
            responses.untold(Failure.CLIENT_GONE);
        } else if (exchange.isRunning()) {
            exchange.clientGone();
            responses.untold(Failure.CLIENT_GONE);
        }
        recorder.end(Failure.CLIENT_GONE); // whatever was not told before
        served.release();
        receiveBuffer.drop();
    }

    // ---- slow clients

    /** The client was too slow with what is awaited of it. */
    void deadlineOver() {
        if ((state == State.ENDING || !output.isWritable()) && deadline.readerGoesOn()) {
            return;
        }
        if (state == State.SERVING && body.isHeldUp() && output.isWritable()) {
            judgePresence();
        } else if (state == State.HEAD && !receiveBuffer.isEmpty() && output.isWritable()) {
            intake.beginFaulty();
            refuseSlow(Failure.REQUEST_HEAD_TIMEOUT);
        } else if (state == State.SERVING && body.isOpen() && !served.answered) {
            exchange.clientGone();
            refuseSlow(deadline.bodyFailure());
        } else {
            cutReader();
        }
    }

    /** The client is not read meanwhile, so that reading does not tell whether it is gone. */
    private void judgePresence() {
        if (output.hasClientFinished()) {
            exchange.clientGone();
            responses.untold(Failure.CLIENT_GONE);
            output.close();
        } else {
            deadline.awaitBackend();
        }
    }

    private void refuseSlow(Failure failure) {
        responses.failure(failure, null, served, /* close= */ true);
        endConnection();
    }

    /** Ends the connection, and with it the exchange, if one is running. */
    private void cutReader() {
        boolean unread = output.pendingBytes() > 0;
        if (unread) {
            exchange.clientGone();
            responses.untold(Failure.SLOW_READER);
        }
        // With a reset, what the system still holds for a client that does not read, up to some MiB, goes at once
        // instead of when the client leaves.
        output.cut(/* visibly= */ unread);
    }

    // ---- when memory is short

    /** Ends the connection, with a word to the client if it can be told. */
    void shed() {
        boolean canBeTold = output.pendingBytes() == 0 && (state == State.HEAD || !served.answered);
        if (!canBeTold || state == State.ENDING || state == State.CLOSED) {
            exchange.giveUp(Failure.SHED);
            responses.untold(Failure.SHED);
            output.cut(/* visibly= */ true);
            return;
        }
        if (state == State.HEAD) {
            intake.beginFaulty();
        } else {
            exchange.giveUp(Failure.SHED);
        }
        refuseSlow(Failure.SHED);
    }
}
