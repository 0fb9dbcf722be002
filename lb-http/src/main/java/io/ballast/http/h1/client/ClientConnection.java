package io.ballast.http.h1.client;

import static java.util.Objects.requireNonNull;

import io.ballast.core.balance.Affinity;
import io.ballast.core.config.ListenerConfig;
import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ClientSide;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.exchange.TunnelSide;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.HeadFault;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.Scan;
import io.ballast.http.net.PeerAddress;
import io.ballast.http.net.UnexpectedErrors;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.http.route.Route;
import io.ballast.http.serving.ClientDeadline;
import io.ballast.http.serving.ClientOutput;
import io.ballast.http.serving.ExchangeEdits;
import io.ballast.http.serving.ExchangeRecorder;
import io.ballast.http.serving.LocalResponses;
import io.ballast.http.serving.RequestState;
import io.ballast.net.budget.BudgetedReads;
import io.ballast.net.budget.Shedding;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection: reads one request after the other, hands each to the exchange, and has the responses passed on.
 *
 * <p>Requests that a client sends ahead (pipelining) wait, unread, until the response before them is out. Whatever is
 * wrong with a request ends the connection, since nobody can tell where the next one would begin. Event-loop confined.
 */
public final class ClientConnection extends ChannelInboundHandlerAdapter implements ClientSide {

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
    private final SocketAddress peer;
    private final ClientAddress address;
    private final RequestState served = new RequestState();
    private final ExchangeEdits edits;
    private final Exchange exchange;
    private final ExchangeRecorder recorder;

    private final ClientDeadline deadline;
    private final ReceiveBuffer receiveBuffer;
    private final RequestReader reader;
    private final RequestBody body;
    private final RequestRelay requestRelay;
    private final ResponseRelay responseRelay;
    private final LocalResponses responses;
    private final ClientOutput output;
    private final KeepAlive keepAlive;

    private final Holdings holdings = new Holdings();
    private final BudgetedReads reads;

    private State state = State.HEAD;
    private @Nullable ClientTunnel tunnel;
    private boolean handling;
    private boolean handedOver;
    private long receivedBytes;

    /**
     * @param backends where connections to backends come from
     * @param channel connected, in whose pipeline this handler will be the last
     */
    public ClientConnection(
            ClientLoop loop,
            ConnectionSource backends,
            Listener listener,
            Channel channel,
            SocketAddress peer,
            SocketAddress local) {
        ListenerConfig config = listener.config();
        Worker worker = loop.worker;
        this.loop = loop;
        this.listener = listener;
        this.counters = listener.counters().shard(worker.index());
        this.peer = peer;
        this.address = new ClientAddress(
                peer,
                PeerAddress.port(local),
                config.forwarding(),
                config.forwardingHeaders(),
                listener.trustedProxies(),
                config.tls().isPresent());
        this.edits = new ExchangeEdits(worker, listener.headers(), address);
        edits.over(channel);
        this.exchange = new Exchange(worker, backends, listener, this, PeerAddress.affinity(peer, worker.random()));
        exchange.between(peer, local);
        this.reads = worker.readsOf(channel);
        this.output = new ClientOutput(channel, worker.transit(), counters);
        this.recorder = new ExchangeRecorder(listener.accessLog(), worker, counters, served, output, address, edits);
        this.deadline = new ClientDeadline(worker, config.deadlines(), output, this::deadlineOver);
        this.receiveBuffer = new ReceiveBuffer(worker.allocator());
        this.reader = new RequestReader(
                loop,
                receiveBuffer,
                HeadLimits.of(config.limits()),
                config.underscores(),
                config.tls().isPresent());
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
        this.keepAlive = new KeepAlive(worker, listener, served, output, deadline);
    }

    // ---- the connection

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        counters.increment(ListenerCounter.CONNECTIONS_OPENED);
        loop.worker.shedding().add(holdings);
        // A client that connects and says nothing is as slow as one that stops in the middle of a head.
        deadline.awaitHead();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        end();
        loop.worker.shedding().remove(holdings);
        if (handedOver) {
            return;
        }
        counters.increment(ListenerCounter.CONNECTIONS_CLOSED);
        listener.closed(peer);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end();
    }

    private void end() {
        boolean inHead = state == State.HEAD && reader.isInHead();
        state = State.CLOSED;
        deadline.remove();
        body.stop();
        if (inHead) {
            beginFaulty();
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

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (BudgetedReads.isPause(cause)) {
            return;
        }
        UnexpectedErrors.report(cause); // a reset by the client is none; channelInactive does the rest
        ctx.close();
    }

    /** The connection, of which nothing was read, speaks another protocol: who serves it now counts its end, too. */
    public void handOver() {
        handedOver = true;
    }

    /** Ends the connection if it is between two requests; else it ends after the present one. */
    public void drain() {
        if (state == State.HEAD && receiveBuffer.isEmpty()) {
            state = State.ENDING;
            keepAlive.endUnused();
        }
    }

    // ---- reading requests

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf received = (ByteBuf) message;
        loop.worker.readClock();
        receivedBytes += received.readableBytes();
        counters.add(ListenerCounter.BYTES_IN, received.readableBytes());
        switch (state) {
            case HEAD -> {
                receiveBuffer.add(received);
                readRequests();
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

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reads.expectMuch(body.isOpen());
        if (state == State.TUNNEL) {
            requireNonNull(tunnel).pause();
        }
        // Answers of our own to pipelined requests go out together.
        output.flush();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (state == State.TUNNEL) {
            requireNonNull(tunnel).event(event);
        }
    }

    /** Handles the requests that are there, one after the other, until one has to wait for its backend. */
    private void readRequests() {
        if (handling) {
            return; // called from within: an answer was ready at once
        }
        handling = true;
        boolean more = true;
        while (more && state == State.HEAD && !receiveBuffer.isEmpty() && output.isWritable()) {
            more = readRequest();
        }
        handling = false;
        if (state == State.HEAD && !output.isWritable()) {
            output.reading(false); // until the client has read what was sent to it
        }
    }

    /** Handles the next request; false if it is not complete, or at fault. */
    private boolean readRequest() {
        boolean known = reader.isInHead();
        Scan result = reader.next();
        if (result == Scan.COMPLETE) {
            deadline.clear();
            begin(loop.request);
            return true;
        }
        if (result == Scan.REJECTED) {
            beginFaulty();
            responses.fault(requireNonNull(loop.request.fault), served);
            endConnection();
        } else if (!known && reader.isInHead()) {
            recorder.headBegins();
            deadline.awaitHead();
        }
        return false;
    }

    /** What there is of a head is all that will be known of the request. */
    private void beginFaulty() {
        reader.giveUp();
        served.startFaulty();
        edits.start();
        recorder.beginFaulty(receiveBuffer.bytes());
    }

    private void begin(RequestScanner request) {
        served.start(request);
        served.upgrade = UpgradeRequest.protocol(request, listener.upgrades());
        edits.start();
        recorder.begin(request);
        if (address.isBehindProxy()) {
            address.read(request);
            exchange.affinity(Affinity.DEFAULT.of(address.octets()));
        }
        Route route = listener.routes().find(request, address.octets(), loop.routing);
        edits.know(request, route == null ? listener.headers().edits() : route.edits());
        if (request.contentLength > listener.config().limits().bodyBytes()) {
            // Its body is not read, so the connection ends with it.
            responses.failure(Failure.REQUEST_TOO_LARGE, request, served, /* close= */ true);
            endConnection();
        } else if (route instanceof Route.ToPool to) {
            serve(to, request);
        } else {
            receiveBuffer.skip(request.end);
            boolean close = !keepAlive.isAllowed(body.skipWhole());
            awaitNextUnless(responses.answer(route, request, loop.routing, served, close));
        }
    }

    private void serve(Route.ToPool to, RequestScanner request) {
        served.rewrite = to.rewrite();
        served.keepHead(receiveBuffer.take(request.end));
        state = State.SERVING;
        body.begin();
        recorder.balance(exchange);
        exchange.begin(
                to.pool(),
                request.method.name(),
                served.idempotent,
                served.headMethod,
                served.pipelinable,
                served.upgrade);
    }

    private void awaitNextUnless(boolean close) {
        if (close) {
            endConnection();
        } else if (output.isWritable()) {
            deadline.awaitNextRequest();
        }
    }

    // ---- sending the request

    @Override
    public void sendRequest(BackendSide backend) {
        if (!handling) {
            reader.again(requireNonNull(served.head()));
        }
        judge(requestRelay.send(backend));
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

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
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
            readRequests();
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
            reader.again(head);
        }
        // After a framing error both connections end: nobody knows what else is not as it seems.
        boolean close = served.version10 || failure == Failure.BAD_RESPONSE || !mayGoOn();
        responses.failure(failure, head == null ? null : loop.request, served, close);
        served.release();
        nextRequest(close);
    }

    private void endConnection() {
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

    // ---- deadlines

    private void deadlineOver() {
        if ((state == State.ENDING || !output.isWritable()) && deadline.readerGoesOn()) {
            return;
        }
        if (state == State.SERVING && body.isHeldUp() && output.isWritable()) {
            judgePresence();
        } else if (state == State.HEAD && !receiveBuffer.isEmpty() && output.isWritable()) {
            beginFaulty();
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

    private final class Holdings extends Shedding.Holder {

        @Override
        protected long heldBytes() {
            return output.pendingBytes()
                    + receiveBuffer.readableBytes()
                    + served.heldBytes()
                    + exchange.bodies().pendingBytes();
        }

        @Override
        protected long movedBytes() {
            return receivedBytes + output.takenBytes();
        }

        @Override
        protected void shed() {
            boolean canBeTold = output.pendingBytes() == 0 && (state == State.HEAD || !served.answered);
            if (!canBeTold || state == State.ENDING || state == State.CLOSED) {
                exchange.giveUp(Failure.SHED);
                responses.untold(Failure.SHED);
                output.cut(/* visibly= */ true);
                return;
            }
            if (state == State.HEAD) {
                beginFaulty();
            } else {
                exchange.giveUp(Failure.SHED);
            }
            refuseSlow(Failure.SHED);
        }
    }
}
