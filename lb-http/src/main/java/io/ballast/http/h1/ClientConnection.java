package io.ballast.http.h1;

import static java.util.Objects.requireNonNull;

import io.ballast.core.balance.Affinity;
import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.BodyFraming;
import io.ballast.http.exchange.ClientSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.Failure;
import io.ballast.http.exchange.Flow;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.exchange.ResponseHead;
import io.ballast.http.route.OctetBuffer;
import io.ballast.http.route.Redirection;
import io.ballast.http.route.Route;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * A client's connection: reads one request after the other, hands each to the exchange, and has the responses passed on.
 *
 * <p>Requests that a client sends ahead (pipelining) wait, unread, until the response before them is out. Whatever is
 * wrong with a request ends the connection, since nobody can tell where the next one would begin. Event-loop confined.
 */
public final class ClientConnection extends ChannelInboundHandlerAdapter implements ClientSide {

    /** How long a client is listened to after its last response if it may still be sending. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private enum State {
        /** Between requests, or in the middle of a head. */
        HEAD,
        /** A request is being served and its body is still coming. */
        BODY,
        /** A request is complete and being served. */
        RESPONSE,
        /** The last response is out, or on its way; input is thrown away. */
        ENDING,
        CLOSED
    }

    private final Http1Loop loop;
    private final Listener listener;
    private final Counters.Shard<ListenerCounter> counters;
    private final HeadLimits headLimits;
    private final ServedRequest served = new ServedRequest();

    private final ClientOutput output;
    private final OwnAnswers answers;
    private final ResponseRelay relay;
    private final ClientAddress address;
    private final ExchangeEdits edits;
    private final InetAddress peer;
    private final Exchange exchange;
    private final Flow flow;
    private final ExchangeRecorder recorder;
    private final ClientDeadline deadline;
    private final Inbound inbound;
    private final RequestBody requestBody;

    private State state = State.HEAD;

    private final PartialHead partial = new PartialHead();
    private boolean handling;

    /** @param channel connected, in whose pipeline this handler will be the last */
    public ClientConnection(
            Http1Loop loop, Listener listener, Channel channel, InetSocketAddress peer, InetSocketAddress local) {
        this.loop = loop;
        this.listener = listener;
        this.counters = listener.counters().shard(loop.worker.index());
        this.headLimits = HeadLimits.of(listener.config().limits());
        this.output = new ClientOutput(channel, counters);
        this.address =
                new ClientAddress(peer, local.getPort(), listener.config().forwarding(), listener.trustedProxies());
        this.edits = new ExchangeEdits(loop.worker, listener.headers(), address);
        this.answers = new OwnAnswers(loop.worker, listener, output, edits, loop.lines);
        this.relay = new ResponseRelay(loop, output, edits);
        long affinity = Affinity.DEFAULT.of(address.octets());
        this.peer = peer.getAddress();
        this.exchange = new Exchange(loop.worker, loop, listener, this, affinity);
        this.flow = exchange.flow();
        this.recorder =
                new ExchangeRecorder(listener.accessLog(), loop.worker, counters, served, output, address, edits);
        this.deadline = new ClientDeadline(loop.worker, listener.config().deadlines(), output, this::deadlineOver);
        this.inbound = new Inbound(loop.worker.allocator());
        this.requestBody = new RequestBody(
                inbound, served, flow, listener.config().limits().bodyBytes());
    }

    // ---- the connection

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        counters.increment(ListenerCounter.CONNECTIONS_OPENED);
        // A client that connects and says nothing is as slow as one that stops in the middle of a head.
        deadline.awaitHead();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        end();
        counters.increment(ListenerCounter.CONNECTIONS_CLOSED);
        listener.closed(peer);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end();
    }

    private void end() {
        if (state == State.HEAD && partial.hasBegun()) {
            beginFaulty();
            served.status = 400; // nobody is told, but the log
            answers.countFailure(Failure.CLIENT_GONE);
        }
        state = State.CLOSED;
        deadline.remove();
        if (exchange.isRunning()) {
            answers.countFailure(Failure.CLIENT_GONE);
            exchange.clientGone();
        }
        recorder.end(Failure.CLIENT_GONE);
        served.release();
        inbound.drop();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Surprises.report(cause); // a reset by the client is none; channelInactive does the rest
        ctx.close();
    }

    /** Ends the connection if it is between two requests; else it ends after the present one. */
    public void drain() {
        if (state == State.HEAD && inbound.isEmpty()) {
            state = State.ENDING;
            deadline.awaitReader();
            output.closeWhenFlushed(); // the last response may still be on its way
        }
    }

    // ---- reading requests

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf received = (ByteBuf) message;
        loop.worker.readClock();
        counters.add(ListenerCounter.BYTES_IN, received.readableBytes());
        switch (state) {
            case HEAD -> {
                inbound.add(received);
                readRequests();
            }
            case BODY -> {
                deadline.bodyReceived(received.readableBytes());
                inbound.add(received);
                relayBody();
            }
            case RESPONSE -> {
                inbound.add(received);
                output.reading(false);
            }
            case ENDING -> output.discard(received);
            case CLOSED -> received.release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        // Answers of our own to pipelined requests go out together.
        output.flush();
    }

    /** Handles the requests that are there, one after the other, until one has to wait for its backend. */
    private void readRequests() {
        if (handling) {
            return; // called from within: an answer was ready at once
        }
        handling = true;
        while (state == State.HEAD && !inbound.isEmpty() && output.isWritable()) {
            if (!readRequest(inbound.bytes())) {
                break;
            }
        }
        handling = false;
        if (state == State.HEAD && !output.isWritable()) {
            output.reading(false); // until the client has read what was sent to it
        }
    }

    /** Handles the request at the beginning of {@code source}; false if it is not complete, or at fault. */
    private boolean readRequest(ByteBuf source) {
        PartialHead.skipEmptyLine(source);
        if (!source.isReadable()) {
            inbound.drop();
            return false;
        }
        if (partial.lacksNewLine(source, headLimits)) {
            return false;
        }
        switch (scan(source)) {
            case INCOMPLETE -> {
                if (partial.scanned(source)) {
                    recorder.headBegins();
                    deadline.awaitHead();
                }
                return false;
            }
            case REJECTED -> {
                beginFaulty();
                answers.fault(requireNonNull(loop.request.fault), served);
                recorder.end(Failure.BAD_REQUEST);
                endConnection();
                return false;
            }
            case COMPLETE -> {
                partial.forget();
                deadline.clear();
                counters.increment(ListenerCounter.REQUESTS);
                begin(loop.request);
                return true;
            }
        }
        return false;
    }

    /** What there is of a head is all that will be known of the request. */
    private void beginFaulty() {
        served.startFaulty();
        edits.start();
        recorder.beginFaulty(inbound.bytes());
    }

    private Scan scan(ByteBuf source) {
        int most = headLimits.head() + 1;
        byte[] bytes = loop.requestBytes.copy(source, most);
        return loop.request.scan(bytes, Math.min(source.readableBytes(), most), headLimits);
    }

    private void begin(RequestScanner request) {
        served.start(request);
        edits.start();
        recorder.begin(request);
        if (address.isBehindProxy()) {
            address.read(request);
            exchange.affinity(Affinity.DEFAULT.of(address.octets()));
        }
        Route route = listener.routes().find(request, address.octets(), loop.routing);
        edits.know(request, route == null ? listener.headers().edits() : route.edits());
        if (request.contentLength > listener.config().limits().bodyBytes()) {
            refuse(Failure.REQUEST_TOO_LARGE, request);
        } else if (route instanceof Route.ToPool to) {
            served.rewrite = to.rewrite();
            served.keepHead(inbound.take(request.end));
            state = served.body.isDone() ? State.RESPONSE : State.BODY;
            recorder.balance(exchange);
            exchange.begin(to.pool(), request.method.name(), served.idempotent, served.headMethod, served.pipelinable);
        } else if (route instanceof Route.Fixed fixed) {
            inbound.skip(request.end);
            boolean close = !mayKeepOpen(served.body.isDone());
            answers.fixed(fixed.response(), served, close);
            recorder.end(/* failure= */ null);
            awaitNextUnless(close);
        } else if (route instanceof Route.Redirect redirect) {
            redirect(redirect.redirection(), request);
        } else {
            refuse(Failure.NO_ROUTE, request);
        }
    }

    private void redirect(Redirection redirection, RequestScanner request) {
        OctetBuffer location = redirection.location(request, loop.routing);
        if (location == null) {
            refuse(Failure.BAD_REQUEST, request);
            return;
        }
        inbound.skip(request.end);
        boolean close = !mayKeepOpen(served.body.isDone());
        answers.redirect(redirection, location, served, close);
        recorder.end(/* failure= */ null);
        awaitNextUnless(close);
    }

    /** A request that ends here: its body, if it has one, is not read, so the connection ends with it. */
    private void refuse(Failure failure, RequestScanner request) {
        answers.failure(failure, request, served, /* close= */ true);
        recorder.end(failure);
        endConnection();
    }

    private void awaitNextUnless(boolean close) {
        if (close) {
            endConnection();
        } else if (output.isWritable()) {
            deadline.awaitNextRequest();
        }
    }

    private boolean mayKeepOpen(boolean requestComplete) {
        return served.keepAlive && requestComplete && !listener.isDraining() && !isUsedUp();
    }

    /** Whether it has served as many requests as one connection may. */
    private boolean isUsedUp() {
        int most = listener.config().limits().requestsPerConnection();
        return most > 0 && served.number >= most;
    }

    // ---- sending the request

    @Override
    public void sendRequest(BackendSide backend) {
        if (!handling) {
            scan(requireNonNull(served.head())); // other connections used the scanner while this one was waiting
        }
        if (served.rewrite != null) {
            loop.request.rewritten = served.rewrite.rewrite(loop.request, loop.routing);
        }
        boolean joins = state == State.BODY;
        edits.goesTo(exchange.backend());
        ByteBuf out = loop.requestWriter.write(
                loop.request,
                address,
                edits.edits(),
                edits,
                exchange.backend(),
                joins ? requestBody.joinableBytes() : 0,
                loop.worker.allocator());
        if (served.sent.hasBegun()) {
            backend.send(out);
            served.sent.sendAgain(backend);
        } else if (joins) {
            served.sent.keepUpTo(exchange.bodyBufferBytes());
            judge(requestBody.join(out, backend));
        } else {
            backend.send(out);
        }
        if (!joins) {
            flow.requestEnd();
            return;
        }
        resumeRequest();
    }

    @Override
    public boolean canSendAgain() {
        return served.canBeSentAgain() && state != State.CLOSED;
    }

    private void relayBody() {
        judge(requestBody.relay()); // may come back here, if the backend takes it at once
    }

    private void judge(RequestBody.Progress progress) {
        switch (progress) {
            case NOTHING -> {}
            case MOVED -> {
                if (state == State.BODY && flow.isBackendWritable()) {
                    deadline.awaitBody(/* paced= */ !served.answered);
                }
            }
            case BLOCKED -> {
                output.reading(false); // until it takes more, which is the backend's to answer for
                deadline.expectNothing();
            }
            case DONE -> endBody();
            case FAULTY -> refuseBody(Failure.BAD_REQUEST);
            case TOO_LARGE -> refuseBody(Failure.REQUEST_TOO_LARGE);
        }
    }

    private void endBody() {
        if (state == State.BODY) {
            state = State.RESPONSE;
            deadline.expectNothing();
            flow.requestEnd();
        }
    }

    /** The rest of the body cannot be passed on: gives the exchange up, and says so if a response has not begun. */
    private void refuseBody(Failure failure) {
        exchange.clientGone();
        if (served.answered) {
            answers.countFailure(failure);
            recorder.end(failure);
            output.close();
            return;
        }
        HeadFault fault = served.body.fault();
        if (fault != null) {
            answers.fault(fault, served);
        } else {
            answers.failure(failure, null, served, /* close= */ true);
        }
        recorder.end(failure);
        endConnection();
    }

    @Override
    public void resumeRequest() {
        if (state == State.BODY) {
            relayBody();
        }
        if (state == State.BODY && flow.isBackendWritable()) {
            deadline.awaitBody(/* paced= */ !served.answered);
            output.reading(true);
        }
    }

    // ---- passing the response on

    @Override
    public void informational(ResponseHead head, ByteBuf received) {
        counters.increment(ListenerCounter.RESPONSES_1XX);
        relay.informational(head, received, served);
    }

    @Override
    public void responseHead(ResponseHead head, ByteBuf received, int bodyBytes, BodyFraming framing) {
        served.release();
        counters.increment(ListenerCounter.ofStatus(head.status()));
        relay.head(head, received, bodyBytes, framing, served, mayKeepOpen(state == State.RESPONSE));
    }

    @Override
    public void responseBody(ByteBuf data) {
        relay.body(data);
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
        if (!output.isWritable()) {
            deadline.awaitReader();
            return;
        }
        switch (state) {
            case BODY, RESPONSE -> {
                deadline.clear();
                flow.clientWritable();
                resumeRequest();
            }
            case HEAD -> awaitRequest();
            case ENDING, CLOSED -> {}
        }
    }

    @Override
    public void responseEnd() {
        output.flush();
        recorder.end(/* failure= */ null);
        nextRequest(served.closes);
    }

    private void nextRequest(boolean close) {
        if (close || state != State.RESPONSE || listener.isDraining()) {
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
        if (!inbound.isEmpty()) {
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
            answers.countFailure(failure);
            recorder.end(failure);
            output.cut(served.endsWithConnection); // the client must see that the response is not whole
            return;
        }
        ByteBuf head = served.head();
        if (head != null) {
            scan(head);
        }
        // After a framing error both connections end: nobody knows what else is not as it seems.
        boolean close = served.version10 || failure == Failure.BAD_RESPONSE || !mayKeepOpen(state == State.RESPONSE);
        answers.failure(failure, head == null ? null : loop.request, served, close);
        recorder.end(failure);
        served.release();
        nextRequest(close);
    }

    /**
     * Ends the connection once the last response is out. If the client may still be sending, reads on for a while after
     * saying so, because closing with unread input would reset the connection and take the response away from the client
     * (RFC 9112 section 9.6).
     */
    private void endConnection() {
        if (state == State.CLOSED || state == State.ENDING) {
            return;
        }
        boolean clientIsDone = state == State.RESPONSE && inbound.isEmpty();
        if (isUsedUp()) {
            counters.increment(ListenerCounter.CONNECTIONS_USED_UP);
        }
        state = State.ENDING;
        served.release();
        inbound.drop();
        deadline.awaitReader();
        if (clientIsDone) {
            output.closeWhenFlushed();
        } else {
            output.shutDownWhenFlushed(() -> {
                output.reading(true);
                loop.worker.readClock();
                deadline.set(LINGER);
            });
        }
    }

    // ---- deadlines

    private void deadlineOver() {
        if ((state == State.ENDING || !output.isWritable()) && deadline.readerGoesOn()) {
            return;
        }
        boolean inHead = state == State.HEAD && !inbound.isEmpty() && output.isWritable();
        boolean inBody = state == State.BODY && !served.answered;
        if (!inHead && !inBody) {
            boolean unread = output.pendingBytes() > 0;
            if (unread) {
                answers.countFailure(Failure.SLOW_READER);
                exchange.clientGone();
                recorder.end(Failure.SLOW_READER);
            }
            // And with it the exchange, if one is running. With a reset, what the system still holds for a client that
            // does not read, up to some MiB, goes at once and not when the client leaves.
            output.cut(/* visibly= */ unread);
            return;
        }
        if (inHead) {
            beginFaulty();
        } else {
            exchange.clientGone();
        }
        Failure failure = tooSlow(inHead);
        answers.failure(failure, null, served, /* close= */ true);
        recorder.end(failure);
        endConnection();
    }

    private Failure tooSlow(boolean inHead) {
        if (inHead) {
            return Failure.REQUEST_HEAD_TIMEOUT;
        }
        return deadline.isBodySlow() ? Failure.REQUEST_BODY_SLOW : Failure.REQUEST_BODY_TIMEOUT;
    }
}
