package io.ballast.http.h1.backend;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ConnectionAdopter;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.h1.wire.Buffers;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.relay.Failure;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.ballast.net.budget.OutputWatermarks;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a backend that serves one exchange at a time, and waits in the idle pool between exchanges.
 *
 * <p>It reads the response head, determines how the body ends, and passes both to the exchange. The
 * connection is reused only if the backend agreed to keep it open, received the whole request, and sent
 * nothing after its response. Event-loop confined.
 */
final class BackendConnection extends BackendChannel implements BackendSide {

    private enum State {
        IDLE,
        HEAD,
        BODY,
        /** The backend has switched to the requested protocol; this state lasts until the connection closes. */
        TUNNEL,
        /** The rest of an unwanted response is read and discarded. */
        DISCARDING,
        CLOSED
    }

    @Nullable BackendConnection newer;

    @Nullable BackendConnection older;

    private final Deadline deadline = new Deadline();
    private final IdleConnections idlePool;

    private @Nullable OutputWatermarks marks;
    private State state = State.IDLE;
    private @Nullable Exchange exchange;
    private @Nullable BackendTunnel tunnel;
    private boolean requestComplete;
    private boolean reusable;
    private boolean served;
    private boolean reused;
    private boolean needsClientFlush;

    /** @param home the idle pool that keeps this connection while no exchange uses it */
    BackendConnection(IdleConnections home, BudgetedRecvByteBufAllocator reads) {
        super(home.loop(), home.backend(), home.settings(), reads);
        this.idlePool = home;
    }

    /** Takes over a connection that was opened for another HTTP version. See {@link ConnectionAdopter}. */
    static void adopt(
            IdleConnections home,
            Channel channel,
            BudgetedRecvByteBufAllocator reads,
            @Nullable AttemptTicket waiting) {
        BackendConnection connection = new BackendConnection(home, reads);
        channel.pipeline().addLast(connection);
        connection.connectionMade(waiting);
    }

    /** Removes this handler from the open channel, because another handler takes over. */
    Channel detach() {
        Channel channel = requireNonNull(context).channel();
        state = State.CLOSED; // only this handler is closed; the channel stays open
        channel.pipeline().remove(this);
        return channel;
    }

    /** Called when the connection is open and uses HTTP/1.1. */
    void connectionMade(@Nullable AttemptTicket waiting) {
        counters.increment(BackendCounter.CONNECTS);
        if (waiting == null || !waiting.connect(this::serve)) {
            returnToPool();
        }
    }

    /**
     * Binds this connection to an exchange until the response is complete or the exchange is aborted; returns
     * this connection.
     */
    BackendSide serve(Exchange next) {
        exchange = next;
        state = State.HEAD;
        requestComplete = false;
        needsClientFlush = false;
        reused = served;
        reader.setRequestedProtocol(next.request().upgrade());
        if (served) {
            counters.increment(BackendCounter.REUSES);
        }
        loop.worker.deadlines().clear(deadline);
        return this;
    }

    // ---- the request

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
        if (isOutputLost()) {
            data.release();
            return;
        }
        ChannelHandlerContext ctx = requireNonNull(context);
        counters.add(BackendCounter.BYTES_TO, data.readableBytes());
        requireNonNull(marks).beforeWrite(data.readableBytes());
        ctx.writeAndFlush(data, ctx.voidPromise());
        if (requestComplete) {
            return;
        }
        if (state == State.BODY) {
            expectBody(); // progress in one direction extends the deadline of both directions
        } else if (!ctx.channel().isWritable()) {
            // A backend that stops reading the request must not block the exchange forever.
            loop.worker.setDeadline(deadline, settings.responseTimeout());
        }
    }

    @Override
    public void endRequest() {
        requestComplete = true;
        if (state == State.HEAD) {
            loop.worker.setDeadline(deadline, requireNonNull(exchange).responseTimeout());
        }
    }

    /**
     * Waits for a response or the end of the connection, because the backend may have responded before it stopped
     * reading the request.
     */
    @Override
    void outputLost() {
        super.outputLost();
        if (state == State.HEAD) {
            loop.worker.setDeadline(deadline, requireNonNull(exchange).responseTimeout());
        } else if (state == State.TUNNEL) {
            requireNonNull(tunnel).outputLost();
        }
    }

    @Override
    public boolean isWritable() {
        return requireNonNull(context).channel().isWritable();
    }

    @Override
    public long pendingBytes() {
        return Buffers.pendingBytes(requireNonNull(context).channel());
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (state == State.TUNNEL) {
            requireNonNull(tunnel).writable();
        } else if (exchange != null && ctx.channel().isWritable()) {
            if (!requestComplete && state == State.HEAD) {
                loop.worker.deadlines().clear(deadline);
            }
            exchange.backendWritable();
        }
    }

    // ---- the response

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf received = (ByteBuf) message;
        countReceived(received);
        switch (state) {
            case HEAD -> readHead(received);
            case BODY -> readBody(received);
            case TUNNEL -> requireNonNull(tunnel).received(received);
            case DISCARDING -> discard(received, reader.consumeBody(received));
            case IDLE, CLOSED -> {
                // Unsolicited data must not become the response to the next request.
                received.release();
                close();
            }
        }
    }

    private void readHead(ByteBuf received) {
        ByteBuf head = reader.join(received);
        while (state == State.HEAD && head.isReadable()) {
            switch (reader.scan(head)) {
                case INCOMPLETE -> {
                    return;
                }
                case REJECTED -> {
                    fail(Failure.BAD_RESPONSE);
                    return;
                }
                case COMPLETE -> {
                    ResponseScanner response = loop.response;
                    if (response.status == ResponseScanner.SWITCHING_PROTOCOLS) {
                        switchProtocols(response, head);
                        return;
                    }
                    if (response.status >= 200) {
                        passHead(response, head);
                        return;
                    }
                    ByteBuf informational = head.readRetainedSlice(response.end);
                    requireNonNull(exchange).informational(response, informational);
                }
            }
        }
        head.release();
    }

    private void passHead(ResponseScanner response, ByteBuf received) {
        Exchange current = requireNonNull(exchange);
        BodyFraming framing = response.framing(current.request().isHead());
        reusable = response.keepsAlive() && framing != BodyFraming.UNTIL_CLOSE;
        lifetime.setBackendIdleTimeout(response.keepAliveSeconds());
        int bodyStart = received.readerIndex() + response.end;
        int bodyEnd = reader.startBody(received, framing);
        if (reader.isBodyFaulty()) {
            received.release();
            fail(Failure.BAD_RESPONSE);
            return;
        }
        if (current.declinesResponse(response)) {
            exchange = null;
            state = State.DISCARDING;
            loop.discarding(this, true);
            // limits the time to read the rest of the response
            loop.worker.setDeadline(deadline, ResponseReader.discardTimeout(settings));
            discard(received, bodyEnd);
            current.continueWithoutResponse();
            return;
        }
        if (bodyEnd < received.writerIndex()) {
            // Data after the end of the response is not forwarded.
            received.writerIndex(bodyEnd);
            reusable = false;
        }
        state = State.BODY;
        needsClientFlush = true;
        boolean done = reader.isBodyDone();
        if (!done) {
            expectBody();
        }
        current.responseHead(response, received, bodyEnd - bodyStart, framing);
        if (done && state == State.BODY) {
            complete();
        }
    }

    private void switchProtocols(ResponseScanner response, ByteBuf received) {
        BackendTunnel started = new BackendTunnel(this, requireNonNull(context).channel());
        tunnel = started;
        state = State.TUNNEL;
        reusable = false;
        loop.worker.deadlines().clear(deadline);
        requireNonNull(exchange).tunnel(response, received, started);
    }

    /** Called when both directions of the tunnel have ended; remaining output may still be in transit. */
    void tunnelEnded() {
        exchange = null;
        loop.worker.setDeadline(deadline, settings.bodyIdleTimeout());
    }

    private void readBody(ByteBuf received) {
        int end = reader.consumeBody(received);
        if (reader.isBodyFaulty()) {
            received.release();
            fail(Failure.BAD_RESPONSE);
            return;
        }
        if (end < received.writerIndex()) {
            received.writerIndex(end);
            reusable = false;
        }
        needsClientFlush = true;
        boolean done = reader.isBodyDone();
        if (!done) {
            expectBody();
        }
        requireNonNull(exchange).responseBody(received);
        if (done && state == State.BODY) {
            complete();
        }
    }

    /** Discards a part of a response whose body ends at {@code end}; consumes {@code received}. */
    private void discard(ByteBuf received, int end) {
        reusable &= end == received.writerIndex() && !reader.isBodyFaulty();
        reusable &= reader.discard(received);
        if (!reusable || !requestComplete || isOutputLost()) {
            close();
        } else if (reader.isBodyDone()) {
            loop.discarding(this, false);
            returnToPool();
        }
    }

    private void expectBody() {
        if (requireNonNull(context).channel().config().isAutoRead()) { // if auto-read is off, the client is slow
            loop.worker.setDeadline(deadline, settings.bodyIdleTimeout());
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reads.endReadLoop(ctx.channel(), state == State.BODY);
        if (state == State.TUNNEL) {
            requireNonNull(tunnel).readComplete();
        }
        if (needsClientFlush && exchange != null) {
            needsClientFlush = false;
            exchange.flushResponse();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        super.userEventTriggered(ctx, event);
        if (state == State.TUNNEL) {
            requireNonNull(tunnel).event(event);
        }
    }

    /** Whether the tunnel's data ended because the connection failed, not because the backend ended its output. */
    boolean isBroken() {
        return reader.isBroken();
    }

    /** Completes the response. Releases the connection first, so that the client's next request can use it. */
    @Override
    void complete() {
        Exchange finished = requireNonNull(exchange);
        long attempt = finished.attempt();
        exchange = null;
        if (reusable && requestComplete && !isOutputLost()) {
            returnToPool();
        } else {
            close();
        }
        finished.finish(attempt);
    }

    private void returnToPool() {
        served = true;
        state = State.IDLE;
        long now = loop.worker.now();
        if (!requireNonNull(context).channel().isActive()
                || !settings.reusesConnections()
                || lifetime.isExpired(now)
                || lifetime.isCloseAnnounced()
                || !idlePool.offer(this)) {
            state = State.BODY; // marks the connection as not being in the idle pool
            close();
            return;
        }
        setReading(true);
        loop.worker.deadlines().set(deadline, lifetime.idleEndNanos(now));
        idlePool.pending().freed();
    }

    @Override
    public void setReading(boolean on) {
        BudgetedRecvByteBufAllocator.setReading(requireNonNull(context).channel(), on);
        if (state == State.BODY && on) {
            expectBody();
        } else if (state == State.BODY) {
            loop.worker.deadlines().clear(deadline); // the client is slow, so the backend has no deadline
        }
    }

    // ---- closing the connection

    @Override
    public void abort() {
        exchange = null;
        if (state == State.TUNNEL) {
            // A reset is sent, because an orderly close would look like the end of the data.
            requireNonNull(context).channel().config().setOption(ChannelOption.SO_LINGER, 0);
        }
        close();
    }

    void close() {
        if (state == State.IDLE) {
            idlePool.remove(this);
        } else if (state == State.DISCARDING) {
            loop.discarding(this, false);
        }
        state = State.CLOSED;
        closeWith(deadline);
    }

    @Override
    void fail(Failure failure) {
        Exchange failed = exchange;
        long attempt = failed == null ? 0 : failed.attempt();
        exchange = null;
        close();
        if (failed != null) {
            failed.backendFailed(attempt, failure, reader.reason());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (exchange == null || state == State.CLOSED) {
            close();
            return;
        }
        if (state == State.TUNNEL) {
            fail(Failure.RESPONSE_CUT);
            return;
        }
        ended(state == State.BODY);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        marks = new OutputWatermarks(ctx.channel(), loop.worker.transit());
        super.handlerAdded(ctx);
        idlePool.pending().opened();
        if (settings.maxConnections() > 0) {
            ctx.channel().closeFuture().addListener(closed -> freeQuota());
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        idlePool.pending().closed();
        super.handlerRemoved(ctx);
    }

    /** Releases the connection permit of this connection, if the backend has a connection limit. */
    void freeQuota() {
        ConnectionQuota quota = idlePool.quota();
        if (quota != null) {
            quota.releasePermit();
        }
    }

    /** Limits the time to wait for a response while an exchange is served, and otherwise the idle time. */
    private final class Deadline extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            switch (state) {
                case HEAD -> fail(Failure.RESPONSE_TIMEOUT);
                case BODY -> fail(requestComplete ? Failure.RESPONSE_CUT : Failure.STREAM_IDLE);
                case IDLE, TUNNEL, DISCARDING, CLOSED -> close();
            }
        }
    }
}
