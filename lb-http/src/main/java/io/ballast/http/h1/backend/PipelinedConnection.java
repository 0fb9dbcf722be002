package io.ballast.http.h1.backend;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendConnections;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.ScanResult;
import io.ballast.http.relay.Failure;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A backend connection with HTTP pipelining (RFC 9112 section 9.3.2). Several exchanges send their requests
 * without waiting, and responses are assigned to them in order.
 *
 * <p>The connection serves only safe requests without a body. When the connection ends, the exchange whose response has
 * begun fails; the other exchanges can be retried. A slow client delays the later exchanges. If a client has
 * disconnected, its response is read and discarded. Event-loop confined.
 */
final class PipelinedConnection extends BackendChannel {

    private enum State {
        CONNECTING,
        HEAD,
        BODY,
        CLOSED
    }

    private final PipelinedConnections pool;
    private final Deadline deadline = new Deadline();
    private final Runnable flushing = this::flush;

    /** A ring buffer of slots; the slot at {@code first} receives the next response. */
    private final Slot[] slots;

    private int first;
    private int count;

    /** Attempts that wait until the connection is open. */
    private final ArrayDeque<AttemptTicket> waiting = new ArrayDeque<>();

    private State state = State.CONNECTING;
    private boolean served;
    private boolean flushDue;
    private boolean needsClientFlush;
    /** Whether the connection closes after the current response. */
    private boolean closesAfterResponse;

    PipelinedConnection(
            BackendLoop loop, Backend backend, BackendConnections settings, PipelinedConnections home, int depth) {
        super(loop, backend, settings);
        this.pool = home;
        this.slots = new Slot[depth];
        for (int i = 0; i < depth; i++) {
            slots[i] = new Slot();
        }
    }

    /** The number of exchanges that are being served or wait for the connection to open. */
    int load() {
        return count + waiting.size();
    }

    boolean hasCapacity() {
        if (state == State.CLOSED || closesAfterResponse || isOutputLost() || lifetime.isExpired(loop.worker.now())) {
            return false;
        }
        if (load() >= slots.length) {
            waiting.removeIf(ticket -> !ticket.isValid()); // cancelled attempts must not count towards the load
        }
        return load() < slots.length;
    }

    /** Returns a slot for the exchange; null if the exchange must wait until the connection is established. */
    @Nullable BackendSide open(Exchange exchange) {
        if (state == State.CONNECTING) {
            waiting.add(exchange.ticket());
            return null;
        }
        return occupy(exchange);
    }

    /** Queues an attempt until the connection is established. */
    void await(AttemptTicket ticket) {
        waiting.add(ticket);
    }

    private BackendSide occupy(Exchange exchange) {
        Slot slot = slots[(first + count) % slots.length];
        slot.exchange = exchange;
        slot.reused = served || count > 0;
        if (served) {
            counters.increment(BackendCounter.REUSES);
        }
        count++;
        return slot;
    }

    private Slot front() {
        return slots[first];
    }

    // ---- connecting

    void connectDone(@Nullable Failure failure, String reason) {
        if (failure == null) {
            counters.increment(BackendCounter.CONNECTS);
            state = State.HEAD;
        } else {
            state = State.CLOSED;
            pool.remove(this);
        }
        // Attempts leave the queue one by one, so that the waiting attempts still count towards the load while a
        // connected attempt runs.
        for (AttemptTicket next = waiting.poll(); next != null; next = waiting.poll()) {
            if (failure != null) {
                next.connectFailed(failure, reason);
            } else if (state == State.CLOSED) {
                next.connectFailed(Failure.CONNECT_REFUSED, "the connection failed");
            } else {
                next.connect(this::occupy);
            }
        }
        awaitResponseOrIdle();
    }

    // ---- requests

    private void send(ByteBuf data) {
        counters.add(BackendCounter.BYTES_TO, data.readableBytes());
        ChannelHandlerContext ctx = requireNonNull(context);
        ctx.write(data, ctx.voidPromise());
        if (!flushDue) {
            flushDue = true;
            ctx.channel().eventLoop().execute(flushing); // flushes the written data after the current read loop
        }
    }

    private void flush() {
        flushDue = false;
        requireNonNull(context).flush();
    }

    // ---- responses

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf received = (ByteBuf) message;
        countReceived(received);
        ByteBuf rest = reader.join(received);
        while (rest != null) {
            if (!rest.isReadable() || state == State.CLOSED) {
                rest.release();
                return;
            }
            if (count == 0) {
                rest.release(); // drops a response without a request
                close();
                return;
            }
            rest = state == State.BODY ? readBody(rest) : readHead(rest);
        }
    }

    /** Reads one head; returns the data after the head, or null if there is none. Consumes {@code received}. */
    private @Nullable ByteBuf readHead(ByteBuf received) {
        ScanResult result = reader.scan(received);
        if (result == ScanResult.COMPLETE) {
            ResponseScanner response = loop.response;
            return response.status < 200 ? passInformational(response, received) : passHead(response, received);
        }
        if (result == ScanResult.REJECTED) {
            fail(Failure.BAD_RESPONSE);
        }
        return null;
    }

    private ByteBuf passInformational(ResponseScanner response, ByteBuf received) {
        ByteBuf head = received.readRetainedSlice(response.end);
        Exchange exchange = front().exchange;
        if (exchange == null) {
            head.release();
        } else {
            exchange.informational(response, head);
        }
        return received;
    }

    private @Nullable ByteBuf passHead(ResponseScanner response, ByteBuf received) {
        Exchange exchange = front().exchange;
        BodyFraming framing =
                response.framing(exchange != null ? exchange.request().isHead() : front().headRequest);
        int bodyStart = received.readerIndex() + response.end;
        int bodyEnd = reader.startBody(received, framing);
        if (reader.isBodyFaulty()) {
            received.release();
            fail(Failure.BAD_RESPONSE);
            return null;
        }
        lifetime.setBackendIdleTimeout(response.keepAliveSeconds());
        closesAfterResponse =
                !response.keepsAlive() || framing == BodyFraming.UNTIL_CLOSE || lifetime.isCloseAnnounced();
        if (closesAfterResponse && !served) {
            pool.disable(); // the backend closes each connection after one response
        }
        if (exchange != null && exchange.declinesResponse(response)) {
            front().exchange = null;
            awaitDiscarded();
            exchange.continueWithoutResponse();
            exchange = null;
        }
        state = State.BODY;
        boolean whole = bodyEnd == received.writerIndex();
        ByteBuf part = whole ? received : received.readRetainedSlice(bodyEnd - received.readerIndex());
        if (exchange == null) {
            discard(part);
        } else {
            needsClientFlush = true;
            exchange.responseHead(response, part, bodyEnd - bodyStart, framing);
        }
        afterBody(whole);
        return whole ? null : received;
    }

    private @Nullable ByteBuf readBody(ByteBuf received) {
        int end = reader.consumeBody(received);
        if (reader.isBodyFaulty()) {
            received.release();
            fail(Failure.BAD_RESPONSE);
            return null;
        }
        boolean whole = end == received.writerIndex();
        ByteBuf part = whole ? received : received.readRetainedSlice(end - received.readerIndex());
        Exchange exchange = front().exchange;
        if (exchange == null) {
            discard(part);
        } else {
            needsClientFlush = true;
            exchange.responseBody(part);
        }
        afterBody(whole);
        return whole ? null : received;
    }

    private void discard(ByteBuf part) {
        if (!reader.discard(part)) {
            fail(Failure.RESPONSE_CUT);
        }
    }

    /** @param whole whether the received data ends with the part of the body that was just read */
    private void afterBody(boolean whole) {
        if (state != State.BODY) {
            return; // the connection was closed while the body data was forwarded to the client
        }
        if (reader.isBodyDone()) {
            // Unsolicited data must not become the response to the next request.
            closesAfterResponse |= !whole && count == 1;
            complete();
        } else if (front().exchange != null) {
            awaitBody();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reads.endReadLoop(ctx.channel(), state == State.BODY);
        if (needsClientFlush && count > 0 && front().exchange != null) {
            needsClientFlush = false;
            front().exchange.flushResponse();
        }
    }

    /** Completes the first response in the ring. */
    @Override
    void complete() {
        Exchange finished = removeFirst();
        long attempt = finished == null ? 0 : finished.attempt();
        state = State.HEAD;
        served = true;
        needsClientFlush = false;
        if (closesAfterResponse) {
            fail(Failure.RESET_BEFORE_RESPONSE); // the backend will not answer the later requests
        } else {
            setReading(true);
            awaitResponseOrIdle();
        }
        if (finished != null) {
            finished.finish(attempt); // no effect if the failure of another exchange has ended this exchange
        }
    }

    /** Frees the first slot and returns its exchange; null if the exchange no longer needs the response. */
    private @Nullable Exchange removeFirst() {
        Slot slot = front();
        Exchange exchange = slot.exchange;
        slot.exchange = null;
        first = (first + 1) % slots.length;
        count--;
        pool.slotFreed();
        return exchange;
    }

    private void setReading(boolean on) {
        BudgetedRecvByteBufAllocator.setReading(requireNonNull(context).channel(), on);
    }

    // ---- deadlines

    private void awaitResponseOrIdle() {
        if (state == State.CLOSED) {
            return;
        }
        if (count > 0) {
            Exchange next = front().exchange;
            loop.worker.setDeadline(deadline, next == null ? settings.responseTimeout() : next.responseTimeout());
        } else if (pool.isRetired()) {
            close();
        } else {
            loop.worker.deadlines().set(deadline, lifetime.idleEndNanos(loop.worker.now()));
        }
    }

    private void awaitBody() {
        loop.worker.setDeadline(deadline, settings.bodyIdleTimeout());
    }

    /** Sets the deadline for reading and discarding the remainder of an unwanted response. */
    private void awaitDiscarded() {
        loop.worker.setDeadline(deadline, ResponseReader.discardTimeout(settings));
    }

    private final class Deadline extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            if (count == 0) {
                close();
            } else {
                fail(state == State.BODY ? Failure.RESPONSE_CUT : Failure.RESPONSE_TIMEOUT);
            }
        }
    }

    // ---- closing the connection

    /**
     * Closes the connection: the first exchange fails with {@code failure}, all other exchanges with a retryable
     * reset.
     */
    @Override
    void fail(Failure failure) {
        close();
        if (count > 0) {
            Exchange front = removeFirst();
            if (front != null) {
                front.backendFailed(front.attempt(), failure, reader.reason());
            }
        }
        // Each exchange stays in its slot until this loop reaches it. If the failure of one exchange ends another
        // exchange, the other exchange can therefore still clear its own slot.
        while (count > 0) {
            Exchange next = removeFirst();
            if (next != null) {
                next.backendFailed(next.attempt(), Failure.RESET_BEFORE_RESPONSE, /* reason= */ "");
            }
        }
    }

    void close() {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        pool.remove(this);
        closeWith(deadline);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (state == State.CLOSED || state == State.CONNECTING) {
            return;
        }
        ended(state == State.BODY);
    }

    /** The slot of one request in the pipeline. */
    private final class Slot implements BackendSide {

        private @Nullable Exchange exchange;
        private boolean headRequest;
        private boolean reused;

        @Override
        public boolean isReused() {
            return reused;
        }

        @Override
        public void sendHead(ByteBuf head, int headBytes, boolean inChunks) {
            send(head);
        }

        @Override
        public void send(ByteBuf data) {
            headRequest = requireNonNull(exchange).request().isHead();
            PipelinedConnection.this.send(data);
        }

        @Override
        public void endRequest() {
            if (front() == this && state == State.HEAD) {
                awaitResponseOrIdle();
            }
        }

        @Override
        public boolean isWritable() {
            return requireNonNull(context).channel().isWritable();
        }

        @Override
        public long pendingBytes() {
            return 0; // pipelined requests have no body, and the exchanges share the channel
        }

        @Override
        public void setReading(boolean on) {
            if (front() != this || count == 0) {
                return; // no part of the response to this exchange has arrived
            }
            PipelinedConnection.this.setReading(on);
            if (state == State.BODY && on) {
                awaitBody();
            } else if (state == State.BODY) {
                loop.worker.deadlines().clear(deadline); // the client is slow, so the backend has no deadline
            }
        }

        @Override
        public void abort() {
            exchange = null;
            if (front() == this && state != State.CLOSED) {
                PipelinedConnection.this.setReading(true);
                if (state == State.BODY) {
                    awaitDiscarded();
                } else {
                    awaitResponseOrIdle();
                }
            }
        }
    }
}
