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
import io.ballast.http.head.Scan;
import io.ballast.http.relay.Failure;
import io.ballast.net.budget.BudgetedReads;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a backend that serves several exchanges at once: their requests go out one behind the other without
 * waiting, and each response belongs to the exchange whose turn it is (RFC 9112 section 9.3.2).
 *
 * <p>Only for requests that are safe and have no body. When the connection ends, the exchange whose response has begun
 * fails; the others lose nothing, since their requests can be sent again. A client that reads slowly holds up those behind
 * it, and a client that goes away leaves a response that is read and thrown away. Event-loop confined.
 */
final class PipelinedConnection extends BackendChannel {

    private enum State {
        CONNECTING,
        HEAD,
        BODY,
        CLOSED
    }

    private final PipelinedConnections home;
    private final Deadline deadline = new Deadline();
    private final Runnable flushing = this::flush;

    /** A ring: the slot at {@code first} is the one whose response comes next. */
    private final Slot[] slots;

    private int first;
    private int count;

    /** The attempts that wait until the connection is made. */
    private final ArrayDeque<AttemptTicket> waiting = new ArrayDeque<>();

    private State state = State.CONNECTING;
    private boolean served;
    private boolean flushDue;
    private boolean passedOn;
    /** Whether the response under way is the last one. */
    private boolean last;

    PipelinedConnection(
            BackendLoop loop, Backend backend, BackendConnections settings, PipelinedConnections home, int depth) {
        super(loop, backend, settings);
        this.home = home;
        this.slots = new Slot[depth];
        for (int i = 0; i < depth; i++) {
            slots[i] = new Slot();
        }
    }

    /** How many exchanges it serves, or will serve once it is made. */
    int load() {
        return count + waiting.size();
    }

    boolean hasRoom() {
        if (state == State.CLOSED || last || isOutputLost() || lifetime.isOver(loop.worker.now())) {
            return false;
        }
        if (load() >= slots.length) {
            waiting.removeIf(ticket -> !ticket.isValid()); // attempts that were given up need no room
        }
        return load() < slots.length;
    }

    /** Returns a place for the exchange; null if the connection is not made yet, in which case the exchange waits for it. */
    @Nullable BackendSide open(Exchange exchange) {
        if (state == State.CONNECTING) {
            waiting.add(exchange.ticket());
            return null;
        }
        return occupy(exchange);
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
            home.remove(this);
        }
        // One by one, so that those still waiting keep their room whatever the others do when they are connected.
        for (AttemptTicket next = waiting.poll(); next != null; next = waiting.poll()) {
            if (failure != null) {
                next.connectFailed(failure, reason);
            } else if (state == State.CLOSED) {
                next.connectFailed(Failure.CONNECT_REFUSED, "the connection broke");
            } else {
                next.connect(this::occupy);
            }
        }
        awaitResponseOrRest();
    }

    // ---- requests

    private void send(ByteBuf data) {
        counters.add(BackendCounter.BYTES_TO, data.readableBytes());
        ChannelHandlerContext ctx = requireNonNull(context);
        ctx.write(data, ctx.voidPromise());
        if (!flushDue) {
            flushDue = true;
            ctx.channel().eventLoop().execute(flushing); // after everything else that was read in this round
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
                rest.release(); // unasked for
                close();
                return;
            }
            rest = state == State.BODY ? readBody(rest) : readHead(rest);
        }
    }

    /** Reads one head; returns what is left to read, or null. Consumes {@code received}. */
    private @Nullable ByteBuf readHead(ByteBuf received) {
        Scan result = reader.scan(received);
        if (result == Scan.COMPLETE) {
            ResponseScanner response = loop.response;
            return response.status < 200 ? passInformational(response, received) : passHead(response, received);
        }
        if (result == Scan.REJECTED) {
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
        BodyFraming framing = response.framing(exchange != null ? exchange.isHeadRequest() : front().headRequest);
        int bodyStart = received.readerIndex() + response.end;
        int bodyEnd = reader.startBody(received, framing);
        if (reader.isBodyFaulty()) {
            received.release();
            fail(Failure.BAD_RESPONSE);
            return null;
        }
        lifetime.backendKeeps(response.keepAliveSeconds());
        last = !response.keepsAlive() || framing == BodyFraming.UNTIL_CLOSE || lifetime.isNotKept();
        if (last && !served) {
            home.distrust(); // it never keeps a connection open
        }
        if (exchange != null && exchange.declines(response)) {
            front().exchange = null;
            awaitDiscarded();
            exchange.moveOn();
            exchange = null;
        }
        state = State.BODY;
        boolean whole = bodyEnd == received.writerIndex();
        ByteBuf part = whole ? received : received.readRetainedSlice(bodyEnd - received.readerIndex());
        if (exchange == null) {
            discard(part);
        } else {
            passedOn = true;
            exchange.responseHead(response, part, bodyEnd - bodyStart, framing);
        }
        afterBody(whole);
        return whole ? null : received;
    }

    private @Nullable ByteBuf readBody(ByteBuf received) {
        int end = reader.takeBody(received);
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
            passedOn = true;
            exchange.bodies().responseBody(part);
        }
        afterBody(whole);
        return whole ? null : received;
    }

    private void discard(ByteBuf part) {
        if (!reader.discard(part)) {
            fail(Failure.RESPONSE_CUT);
        }
    }

    /** @param whole whether nothing came behind the part that was read */
    private void afterBody(boolean whole) {
        if (state != State.BODY) {
            return; // it ended while a part was passed on
        }
        if (reader.isBodyDone()) {
            // Bytes that nobody has asked for must not become the response to a request that begins now.
            last |= !whole && count == 1;
            complete();
        } else if (front().exchange != null) {
            awaitBody();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reads.roundEnded(ctx.channel(), state == State.BODY);
        if (passedOn && count > 0 && front().exchange != null) {
            passedOn = false;
            front().exchange.bodies().responsePause();
        }
    }

    /** The response at the front is complete. */
    @Override
    void complete() {
        Exchange finished = leave();
        long attempt = finished == null ? 0 : finished.attempt();
        state = State.HEAD;
        served = true;
        passedOn = false;
        if (last) {
            fail(Failure.RESET_BEFORE_RESPONSE); // the backend will not answer those behind it
        } else {
            reading(true);
            awaitResponseOrRest();
        }
        if (finished != null) {
            finished.finish(attempt); // unless the failure of one behind it has ended it
        }
    }

    /** Frees the slot at the front and returns who was served there, if it is still there. */
    private @Nullable Exchange leave() {
        Slot slot = front();
        Exchange exchange = slot.exchange;
        slot.exchange = null;
        first = (first + 1) % slots.length;
        count--;
        return exchange;
    }

    private void reading(boolean on) {
        BudgetedReads.reading(requireNonNull(context).channel(), on);
    }

    // ---- deadlines

    private void awaitResponseOrRest() {
        if (state == State.CLOSED) {
            return;
        }
        if (count > 0) {
            Exchange next = front().exchange;
            loop.worker.setDeadline(deadline, next == null ? settings.responseTimeout() : next.responseTimeout());
        } else if (home.isRetired()) {
            close();
        } else {
            loop.worker.deadlines().set(deadline, lifetime.endIfUnused(loop.worker.now()));
        }
    }

    private void awaitBody() {
        loop.worker.setDeadline(deadline, settings.bodyIdleTimeout());
    }

    /** The rest of an unwanted response: a deadline for all of it. */
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

    // ---- the end

    /** Ends the connection: the exchange at the front fails, those behind it are told that nothing came for them. */
    @Override
    void fail(Failure failure) {
        close();
        if (count > 0) {
            Exchange front = leave();
            if (front != null) {
                front.backendFailed(front.attempt(), failure, reader.reason());
            }
        }
        // Each stays in its slot until its turn: one that the failure of another ends leaves its slot by itself.
        while (count > 0) {
            Exchange next = leave();
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
        home.remove(this);
        closeWith(deadline);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (state == State.CLOSED || state == State.CONNECTING) {
            return;
        }
        ended(state == State.BODY);
    }

    /** One request's place in the line. */
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
            headRequest = requireNonNull(exchange).isHeadRequest();
            PipelinedConnection.this.send(data);
        }

        @Override
        public void requestSent() {
            if (front() == this && state == State.HEAD) {
                awaitResponseOrRest();
            }
        }

        @Override
        public boolean isWritable() {
            return requireNonNull(context).channel().isWritable();
        }

        @Override
        public long pendingBytes() {
            return 0; // requests without a body, and those of others among them
        }

        @Override
        public void reading(boolean on) {
            if (front() != this || count == 0) {
                return; // nothing of its response has come
            }
            PipelinedConnection.this.reading(on);
            if (state == State.BODY && on) {
                awaitBody();
            } else if (state == State.BODY) {
                loop.worker.deadlines().clear(deadline); // it is the client that is slow
            }
        }

        @Override
        public void abort() {
            exchange = null;
            if (front() == this && state != State.CLOSED) {
                PipelinedConnection.this.reading(true);
                if (state == State.BODY) {
                    awaitDiscarded();
                } else {
                    awaitResponseOrRest();
                }
            }
        }
    }
}
