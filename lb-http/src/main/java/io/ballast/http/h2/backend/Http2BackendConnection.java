package io.ballast.http.h2.backend;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.stats.Counters;
import io.ballast.http.connect.BackendConnector;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.h2.flow.FrameOutput;
import io.ballast.http.h2.flow.SendFlow;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.FrameReader;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.net.UnexpectedErrors;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.ballast.net.timer.DeadlineWheel;
import io.ballast.net.transport.FailedWriteReader;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/2 connection to a backend (RFC 9113), shared by concurrent exchanges. Exchanges wait until the connection is
 * established. All exchanges except the first also wait for the backend's SETTINGS frame, which contains the stream
 * limit. Event-loop confined.
 */
final class Http2BackendConnection extends ChannelInboundHandlerAdapter {

    /** Receive window of a stream in bytes; credited when response data is forwarded. */
    static final int STREAM_WINDOW = 128 * 1024;
    /**
     * Receive window of the connection in bytes. It is credited on receipt, because the stream windows already
     * limit the data.
     */
    static final int CONNECTION_WINDOW = 8 * 1024 * 1024;
    /**
     * Limits for parsing request and response heads that were composed from HTTP/2 header fields. They are
     * generous, because the configured limits have already been checked.
     */
    static final HeadLimits OWN_LIMITS = new HeadLimits(1 << 20, 1 << 20, 1 << 20, 10_000);
    /**
     * If a read loop receives at most this many bytes, they are assumed to be a whole short response. After a longer
     * read loop, more data is expected.
     */
    private static final int SHORT_ROUND = 4 * 1024;

    private final Http2Backends loop;
    private final BackendConnections settings;
    private final Http2BackendPool pool;
    private final Counters.Shard<BackendCounter> counters;
    private final BudgetedRecvByteBufAllocator reads;
    private final FrameReader reader;
    private final BackendFrames frameHandler;
    private final BackendStreams streams = new BackendStreams(this, /* maxUnused= */ StreamOpener.MAX_STREAMS);
    private final PendingAttempts waiters = new PendingAttempts();
    private final List<BackendStream> passedOn = new ArrayList<>();
    private final Deadline deadline = new Deadline();
    private final KeepalivePing pings;
    private final StreamOpener opener;
    private final long retireNanos;
    private final ChannelFrameOutput bytes = new ChannelFrameOutput();
    private final FrameOutput frames;
    private final SendFlow flow;

    /** The channel, which may still be connecting; null before this handler was added to it. */
    private @Nullable Channel made;

    /** The connected channel; null until the connection is established. */
    private @Nullable Channel channel;

    private long readNanos;
    private long roundBytes;
    private boolean draining;
    private boolean closed;

    Http2BackendConnection(
            Http2Backends loop, Backend backend, Http2BackendPool list, BudgetedRecvByteBufAllocator reads) {
        Worker worker = loop.worker;
        this.loop = loop;
        this.settings = list.settings();
        this.pool = list;
        this.counters = backend.stats().counters(worker.index());
        this.reads = reads;
        this.frames = new FrameOutput(bytes, worker.allocator(), worker.eventLoop(), loop.copied);
        this.flow = new SendFlow(frames, loop.block, worker, worker.transit());
        this.frameHandler = new BackendFrames(this, streams, bytes);
        this.reader = new FrameReader(frameHandler, worker.allocator());
        this.pings = new KeepalivePing(worker, new Pings());
        this.opener = new StreamOpener(this, pool, streams, waiters, frameHandler, pings, deadline);
        long age = settings.maxAge().toNanos();
        this.retireNanos = worker.now() + age - worker.random().nextLong(age / 10 + 1);
    }

    Http2Backends loop() {
        return loop;
    }

    SendFlow flow() {
        return flow;
    }

    FrameOutput frames() {
        return frames;
    }

    Counters.Shard<BackendCounter> counters() {
        return counters;
    }

    BackendConnections settings() {
        return settings;
    }

    boolean isSecure() {
        return settings.protocol() != BackendProtocol.H2C;
    }

    // ---- exchanges

    /** Whether the connection can take another exchange. */
    boolean hasCapacity() {
        if (draining || closed || loop.worker.now() - retireNanos >= 0) {
            return false;
        }
        return opener.hasCapacity();
    }

    boolean isConnecting() {
        return channel == null;
    }

    /** Returns a stream for an exchange; null if the exchange has to wait. */
    @Nullable BackendSide open(Exchange exchange) {
        return opener.open(exchange);
    }

    /** Queues an attempt until the connection is established. */
    void await(AttemptTicket ticket) {
        waiters.add(ticket);
    }

    /**
     * Begins to connect. Returns false if no file descriptor is free; the connection must not be used then.
     *
     * @param first creates the first data to write; null for none
     */
    boolean connect(@Nullable Supplier<ByteBuf> first) {
        return BackendConnector.connect(
                loop.worker,
                loop.security(pool.backend()),
                pool.backend(),
                settings,
                this,
                reads,
                first,
                this::connectDone);
    }

    private void connectDone(@Nullable Failure failure, String reason) {
        if (failure == null) {
            connected();
        } else {
            closed = true;
            pool.remove(this);
            waiters.failAll(failure, reason);
        }
    }

    /**
     * Called when the connection is established. If the TLS handshake selected HTTP/1.1, hands the connection
     * over to HTTP/1.1.
     */
    private void connected() {
        if (pool.isHttp1Selected(requireNonNull(made))) {
            closed = true; // only this handler is closed; the connection continues with HTTP/1.1
            pool.handOverToHttp1(this, requireNonNull(made), reads, waiters);
        } else {
            made();
        }
    }

    /** Called when the connection is established and uses HTTP/2. */
    void made() {
        counters.increment(BackendCounter.CONNECTS);
        begin(requireNonNull(made));
        loop.worker.setDeadline(deadline, settings.responseTimeout()); // limits the wait for the backend's SETTINGS
        opener.startWaiting();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        made = ctx.channel();
        loop.worker.transport().prepare(ctx.pipeline());
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        loop.worker.descriptors().freed();
    }

    private void begin(Channel connected) {
        channel = connected;
        bytes.setChannel(connected, loop.worker.transit());
        readNanos = loop.worker.now();
        ConnectionPreface.write(settings, frames);
    }

    void flushSoon() {
        frames.flushSoon();
    }

    void windowUpdate(int stream, int increment) {
        frames.windowUpdate(stream, increment);
        frames.flushSoon();
    }

    /**
     * Called when response data of this stream was written to its client. The client connection is flushed at the
     * end of the read round.
     */
    void passedOn(BackendStream stream) {
        passedOn.add(stream);
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether the stream was opened on this connection. */
    boolean isOwnStream(int stream) {
        return opener.hasOpened(stream);
    }

    /** Applies the stream limit of the backend's SETTINGS. */
    void applyStreamLimit(int maxStreams) {
        pool.maxStreams(maxStreams);
        opener.startWaiting();
        if (maxStreams == 0) {
            waiters.failAll(Failure.STREAM_REFUSED, "the backend allows no concurrent streams");
            drain();
        }
        opener.moveWaiting();
        pool.streamFreed();
        checkIdle();
    }

    BackendStreams streams() {
        return streams;
    }

    /** Called when the stream has ended on both sides. */
    void ended(BackendStream stream) {
        streams.remove(stream.id());
        stream.release();
        pool.streamFreed();
        checkIdle();
    }

    /** Cancels a stream. If its head was already sent, resets the stream. */
    void cancel(BackendStream stream) {
        if (streams.remove(stream.id()) != null && !closed && stream.isStarted()) {
            frames.reset(stream.id(), ErrorCode.CANCEL);
            frames.flushSoon();
        }
        stream.release();
        pool.streamFreed();
        checkIdle();
    }

    /**
     * Called when a response has timed out. If the backend sent nothing during that time, the connection accepts no
     * further exchanges.
     */
    void timedOut(BackendStream stream) {
        boolean silent =
                loop.worker.now() - readNanos >= settings.responseTimeout().toNanos();
        cancel(stream);
        if (silent) {
            drain();
        }
    }

    /**
     * If no exchange uses the connection, starts the idle timeout, or closes the connection if it is draining.
     */
    void checkIdle() {
        if (streams.isEmpty() && waiters.isEmpty() && channel != null && !closed) {
            if (draining) {
                close();
            } else if (frameHandler.hasReceivedSettings()) {
                long end = Math.min(loop.worker.now() + settings.idleTimeout().toNanos(), retireNanos);
                loop.worker.deadlines().set(deadline, end);
                pool.markIdle(this);
            }
        }
    }

    /** Accepts no further exchanges, and closes when the running exchanges have ended. */
    void drain() {
        if (!draining) {
            draining = true;
            pool.remove(this);
            waiters.failAll(Failure.CONNECT_TIMEOUT, "timed out waiting for an HTTP/2 SETTINGS frame");
            checkIdle();
        }
    }

    /**
     * Accepts no exchanges except the exchanges that already wait for this connection. Closes when all exchanges have
     * ended.
     */
    void retire() {
        if (channel != null && waiters.isEmpty()) {
            drain();
        }
    }

    /** Whether the connection is established and has no exchange. */
    boolean isIdle() {
        return channel != null && streams.isEmpty() && waiters.isEmpty();
    }

    void closeIfIdle() {
        if (streams.isEmpty() && waiters.isEmpty()) {
            close();
        }
    }

    private void close() {
        fail(Failure.RESET_BEFORE_RESPONSE, "");
    }

    /** Closes the connection and fails all its exchanges. */
    private void fail(Failure failure, String reason) {
        if (closed) {
            return;
        }
        closed = true;
        pool.remove(this);
        loop.worker.deadlines().remove(deadline);
        pings.end();
        reader.release();
        frameHandler.release();
        frames.flush();
        flow.clear();
        Channel open = channel;
        if (open != null) {
            open.close();
        }
        List<BackendStream> failed = streams.all();
        streams.clear();
        failed.forEach(stream -> stream.fail(failure, reason));
        waiters.failAll(
                Failure.CONNECT_FAILED,
                reason.isEmpty() ? "the connection was closed before an HTTP/2 SETTINGS frame was received" : reason);
    }

    /**
     * Closes the connection because the backend violated the protocol. Returns false, so that no more frames are read.
     */
    boolean closeForError(ErrorCode code) {
        if (!closed) {
            frames.goAway(0, code);
            fail(Failure.BAD_RESPONSE, "the backend violated the HTTP/2 protocol: " + code.name());
        }
        return false;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(Failure.RESET_BEFORE_RESPONSE, "");
        frames.release();
    }

    /**
     * Handles a failed write: the connection accepts no further exchanges. Running exchanges still receive the data
     * that the backend has already sent.
     */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelOutputShutdownEvent.INSTANCE && !closed) {
            FailedWriteReader.stopWriting(ctx.channel());
            draining = true;
            pool.remove(this);
            checkIdle();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (BudgetedRecvByteBufAllocator.isPause(cause) || FailedWriteReader.isFailedWrite(cause)) {
            return;
        }
        UnexpectedErrors.report(cause);
        ctx.close();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable() && !closed) {
            flow.pump();
            streams.all().forEach(BackendStream::writable);
        }
    }

    // ---- reading

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        loop.worker.readClock();
        readNanos = loop.worker.now();
        roundBytes += ((ByteBuf) message).readableBytes();
        if (closed) {
            ((ByteBuf) message).release();
            return;
        }
        reader.read((ByteBuf) message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reads.endReadLoop(ctx.channel(), !passedOn.isEmpty() && roundBytes > SHORT_ROUND);
        roundBytes = 0;
        for (int i = 0; i < passedOn.size(); i++) {
            passedOn.get(i).responseReadComplete();
        }
        passedOn.clear();
        streams.makePooledReusable();
        if (!closed) {
            frames.flush();
        }
    }

    /** Called when a part of a response has arrived. */
    void responded() {
        pings.responded();
    }

    private final class Pings implements KeepalivePing.Owner {

        @Override
        public boolean isPending() {
            return !closed && !streams.isEmpty();
        }

        @Override
        public long readNanos() {
            return readNanos;
        }

        @Override
        public void ping() {
            frames.ping(readNanos);
            frames.flush();
        }

        /**
         * Fails the connection because the backend did not answer a PING. Retries on a new connection would not help,
         * so all streams are first marked as not stale.
         */
        @Override
        public void connectionLost() {
            streams.all().forEach(BackendStream::markNotStale);
            fail(
                    Failure.RESET_BEFORE_RESPONSE,
                    "no answer to a PING within " + KeepalivePing.REPLY_TIMEOUT.toSeconds() + " s");
        }
    }

    /** The deadline for the first SETTINGS frame, and afterwards the idle timeout. */
    private final class Deadline extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            if (frameHandler.hasReceivedSettings()) {
                closeIfIdle();
            } else {
                drain(); // waiting exchanges fail or move to another connection
            }
        }
    }
}
