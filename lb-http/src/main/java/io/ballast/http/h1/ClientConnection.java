package io.ballast.http.h1;

import static java.util.Objects.requireNonNull;

import io.ballast.core.balance.Affinity;
import io.ballast.core.config.ClientDeadlines;
import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.BodyFraming;
import io.ballast.http.exchange.ClientSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.Failure;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.exchange.ResponseHead;
import io.ballast.http.net.DeadlineWheel;
import io.ballast.http.route.Route;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection: reads one request after the other, hands each to the exchange, and has the responses passed on.
 *
 * <p>Requests that a client sends ahead (pipelining) wait, unread, until the response before them is out. Whatever is
 * wrong with a request ends the connection, since nobody can tell where the next one would begin. Event-loop confined.
 */
public final class ClientConnection extends ChannelInboundHandlerAdapter implements ClientSide {

    /** How long a client is listened to after its last response if it may still be sending. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    /** Bodies up to this size are copied behind the head, to go out in one piece. */
    private static final int SMALL_BODY_BYTES = 4096;

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
    private final ClientDeadlines deadlines;
    private final HeadLimits headLimits;
    private final Deadline deadline = new Deadline();
    private final ServedRequest served = new ServedRequest();

    private final ClientOutput output;
    private final OwnAnswers answers;
    private final ResponseRelay relay;
    private final ClientAddress address;
    private final Exchange exchange;

    private State state = State.HEAD;

    /** What arrived and was not handled yet. */
    private @Nullable ByteBuf inbound;

    private final PartialHead partial = new PartialHead();
    private boolean handling;

    /** @param channel connected, in whose pipeline this handler will stand alone */
    public ClientConnection(
            Http1Loop loop, Listener listener, Channel channel, InetSocketAddress peer, InetSocketAddress local) {
        this.loop = loop;
        this.listener = listener;
        this.counters = listener.counters().shard(loop.worker.index());
        this.deadlines = listener.config().deadlines();
        this.headLimits = HeadLimits.of(listener.config().limits());
        this.output = new ClientOutput(channel, counters);
        this.answers = new OwnAnswers(loop.worker, listener, output);
        this.relay = new ResponseRelay(loop, output);
        this.address = new ClientAddress(peer, local.getPort());
        long affinity = Affinity.DEFAULT.of(peer.getAddress().getAddress());
        this.exchange = new Exchange(loop.worker, loop, listener.trouble(), this, affinity);
    }

    // ---- the connection

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        counters.increment(ListenerCounter.CONNECTIONS_OPENED);
        // A client that connects and says nothing is as slow as one that stops in the middle of a head.
        setDeadline(deadlines.requestHead());
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        end();
        counters.increment(ListenerCounter.CONNECTIONS_CLOSED);
        listener.closed();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end();
    }

    private void end() {
        state = State.CLOSED;
        loop.worker.deadlines().remove(deadline);
        if (exchange.isRunning()) {
            answers.countFailure(Failure.CLIENT_GONE);
            exchange.clientGone();
        }
        served.releaseHead();
        dropInbound();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Surprises.report(cause); // a reset by the client is none; channelInactive does the rest
        ctx.close();
    }

    /** Ends the connection if it is between two requests; else it ends after the present one. */
    public void drain() {
        if (state == State.HEAD && inbound == null) {
            state = State.ENDING;
            awaitReader();
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
                add(received);
                readRequests();
            }
            case BODY -> {
                add(received);
                relayBody();
            }
            case RESPONSE -> {
                add(received);
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

    private void add(ByteBuf received) {
        inbound = inbound == null ? received : Buffers.join(inbound, received, loop.worker.allocator());
    }

    /** Handles the requests that are there, one after the other, until one has to wait for its backend. */
    private void readRequests() {
        if (handling) {
            return; // called from within: an answer was ready at once
        }
        handling = true;
        while (state == State.HEAD && inbound != null && output.isWritable()) {
            if (!readRequest(inbound)) {
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
            dropInbound();
            return false;
        }
        if (partial.lacksNewLine(source, headLimits)) {
            return false;
        }
        switch (scan(source)) {
            case INCOMPLETE -> {
                if (partial.scanned(source)) {
                    setDeadline(deadlines.requestHead());
                }
                return false;
            }
            case REJECTED -> {
                served.startFaulty();
                answers.fault(requireNonNull(loop.request.fault), served);
                endConnection();
                return false;
            }
            case COMPLETE -> {
                partial.forget();
                clearDeadline();
                counters.increment(ListenerCounter.REQUESTS);
                begin(loop.request, source);
                return true;
            }
        }
        return false;
    }

    private Scan scan(ByteBuf source) {
        int most = headLimits.head() + 1;
        byte[] bytes = loop.requestBytes.copy(source, most);
        return loop.request.scan(bytes, Math.min(source.readableBytes(), most), headLimits);
    }

    private void begin(RequestScanner request, ByteBuf source) {
        served.start(request);
        Route route = listener.routes()
                .find(
                        request.bytes,
                        request.authorityStart,
                        request.hostNameEnd(),
                        request.pathStart,
                        request.pathEnd,
                        loop.paths);
        if (request.contentLength > listener.config().limits().bodyBytes()) {
            refuse(Failure.REQUEST_TOO_LARGE, request);
        } else if (route instanceof Route.ToPool toPool) {
            takeHead(request, source);
            state = served.body.isDone() ? State.RESPONSE : State.BODY;
            exchange.begin(toPool.pool(), served.idempotent, served.headMethod);
        } else if (route instanceof Route.Fixed fixed) {
            source.skipBytes(request.end);
            dropIfRead(source);
            boolean close = !mayKeepOpen(served.body.isDone());
            answers.fixed(fixed.response(), served, close);
            awaitNextUnless(close);
        } else {
            refuse(Failure.NO_ROUTE, request);
        }
    }

    /** A request that ends here: its body, if it has one, is not read, so the connection ends with it. */
    private void refuse(Failure failure, RequestScanner request) {
        answers.failure(failure, request, served, /* close= */ true);
        endConnection();
    }

    private void awaitNextUnless(boolean close) {
        if (close) {
            endConnection();
        } else if (output.isWritable()) {
            setDeadline(deadlines.keepAlive());
        }
    }

    private boolean mayKeepOpen(boolean requestComplete) {
        return served.keepAlive && requestComplete && !listener.isDraining();
    }

    /** Takes the head out of {@code source} and keeps it; what follows it stays inbound. */
    private void takeHead(RequestScanner request, ByteBuf source) {
        if (source.readableBytes() == request.end) {
            served.keepHead(source);
            inbound = null;
        } else {
            served.keepHead(source.readRetainedSlice(request.end));
        }
    }

    // ---- sending the request

    @Override
    public void sendRequest(BackendSide backend) {
        if (!handling) {
            scan(requireNonNull(served.head())); // other connections used the scanner while this one was waiting
        }
        int more = inbound == null || state != State.BODY ? 0 : inbound.readableBytes();
        ByteBuf out = loop.requestWriter.write(
                loop.request,
                address,
                listener.config().forwarding(),
                exchange.pool().config().host(),
                exchange.backend(),
                Math.min(more, SMALL_BODY_BYTES),
                loop.worker.allocator());
        if (state == State.RESPONSE) {
            backend.send(out);
            exchange.requestEnd();
            return;
        }
        if (more > 0 && more <= SMALL_BODY_BYTES) {
            joinBody(out, backend);
        } else {
            backend.send(out);
        }
        resumeRequest();
    }

    @Override
    public boolean canSendAgain() {
        return served.head() != null && !served.bodySent && state != State.CLOSED;
    }

    /** Sends a small body, or its beginning, in one buffer with the head. */
    private void joinBody(ByteBuf out, BackendSide backend) {
        ByteBuf source = requireNonNull(inbound);
        int end = takeBody(source);
        if (end < 0) {
            out.release();
            return;
        }
        out.writeBytes(source, end - source.readerIndex());
        dropIfRead(source);
        served.bodySent = true;
        backend.send(out);
        endBodyIfDone();
    }

    /** Passes on what is there of the body, as far as the backend takes it. */
    private void relayBody() {
        if (inbound == null || served.body.isDone()) {
            return;
        }
        if (!exchange.isBackendWritable()) {
            output.reading(false); // until it is, which is the backend's to answer for and not the client's
            expectNothing();
            return;
        }
        ByteBuf source = inbound;
        int end = takeBody(source);
        if (end < 0) {
            return;
        }
        served.bodySent = true;
        setDeadline(deadlines.requestBodyIdle());
        ByteBuf part = source;
        if (end == source.writerIndex()) {
            inbound = null;
        } else {
            part = source.readRetainedSlice(end - source.readerIndex());
        }
        exchange.requestBody(part); // may come back here, if the backend takes it at once
        endBodyIfDone();
    }

    /** Judges what is there of the body: returns the offset where it ends, or -1 if the exchange was given up. */
    private int takeBody(ByteBuf source) {
        int end = served.body.take(source, source.readerIndex(), source.writerIndex());
        HeadFault fault = served.body.fault();
        boolean tooLarge = served.body.taken() > listener.config().limits().bodyBytes();
        if (fault == null && !tooLarge) {
            return end;
        }
        exchange.clientGone();
        if (served.answered) {
            answers.countFailure(tooLarge ? Failure.REQUEST_TOO_LARGE : Failure.BAD_REQUEST);
            output.close();
            return -1;
        }
        if (fault != null) {
            answers.fault(fault, served);
        } else {
            answers.failure(Failure.REQUEST_TOO_LARGE, null, served, /* close= */ true);
        }
        endConnection();
        return -1;
    }

    private void endBodyIfDone() {
        if (state == State.BODY && served.body.isDone()) {
            state = State.RESPONSE;
            expectNothing();
            exchange.requestEnd();
        }
    }

    @Override
    public void resumeRequest() {
        if (state == State.BODY && inbound != null) {
            relayBody();
        }
        if (state == State.BODY && exchange.isBackendWritable()) {
            setDeadline(deadlines.requestBodyIdle());
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
        served.releaseHead();
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
            awaitReader();
            return;
        }
        switch (state) {
            case BODY, RESPONSE -> {
                clearDeadline();
                exchange.clientWritable();
                resumeRequest();
            }
            case HEAD -> awaitRequest();
            case ENDING, CLOSED -> {}
        }
    }

    @Override
    public void responseEnd() {
        output.flush();
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
        setDeadline(deadlines.keepAlive());
        if (inbound != null) {
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
            output.cut(served.endsWithConnection); // the client must see that the response is not whole
            return;
        }
        ByteBuf head = served.head();
        if (head != null) {
            scan(head);
        }
        boolean close = served.version10 || !mayKeepOpen(state == State.RESPONSE);
        answers.failure(failure, head == null ? null : loop.request, served, close);
        served.releaseHead();
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
        boolean clientIsDone = state == State.RESPONSE && inbound == null;
        state = State.ENDING;
        served.releaseHead();
        dropInbound();
        awaitReader();
        if (clientIsDone) {
            output.closeWhenFlushed();
        } else {
            output.shutDownWhenFlushed(() -> {
                output.reading(true);
                loop.worker.readClock();
                loop.worker.setDeadline(deadline, LINGER);
            });
        }
    }

    private void dropIfRead(ByteBuf source) {
        if (!source.isReadable()) {
            dropInbound();
        }
    }

    private void dropInbound() {
        if (inbound != null) {
            inbound.release();
            inbound = null;
        }
    }

    // ---- deadlines

    private void setDeadline(Duration time) {
        loop.worker.setDeadline(deadline, time);
    }

    private void clearDeadline() {
        loop.worker.deadlines().clear(deadline);
    }

    /** Waits for the client to read what was sent to it. */
    private void awaitReader() {
        output.markProgress();
        setDeadline(deadlines.responseIdle());
    }

    /** The client has nothing to do but, if it is slow, to read. */
    private void expectNothing() {
        if (output.isWritable()) {
            clearDeadline();
        } else {
            awaitReader();
        }
    }

    private void deadlineOver() {
        if ((state == State.ENDING || !output.isWritable()) && output.hasProgressed()) {
            awaitReader();
            return;
        }
        boolean inHead = state == State.HEAD && inbound != null && output.isWritable();
        boolean inBody = state == State.BODY && !served.answered;
        if (!inHead && !inBody) {
            output.close(); // and with it the exchange, if one is running
            return;
        }
        if (inHead) {
            served.startFaulty();
        } else {
            exchange.clientGone();
        }
        Failure failure = inHead ? Failure.REQUEST_HEAD_TIMEOUT : Failure.REQUEST_BODY_TIMEOUT;
        answers.failure(failure, null, served, /* close= */ true);
        endConnection();
    }

    private final class Deadline extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            deadlineOver();
        }
    }
}
