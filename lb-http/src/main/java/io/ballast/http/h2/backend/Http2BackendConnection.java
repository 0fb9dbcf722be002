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
import io.ballast.net.budget.BudgetedReads;
import io.ballast.net.timer.DeadlineWheel;
import io.ballast.net.transport.LostOutput;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a backend that speaks HTTP/2 (RFC 9113), on which many exchanges run at once. Those that come while it is
 * being made wait for it, and all but the first until the backend has said how many it takes. Event-loop confined.
 */
final class Http2BackendConnection extends ChannelInboundHandlerAdapter {

    /** What a backend may send of a response before some of it was passed on. */
    static final int STREAM_WINDOW = 128 * 1024;
    /** What it may send of all of them; what came is credited at once, since each stream's own window bounds it. */
    static final int CONNECTION_WINDOW = 8 * 1024 * 1024;
    /** Of our own making, after all limits were kept. */
    static final HeadLimits OWN_LIMITS = new HeadLimits(1 << 20, 1 << 20, 1 << 20, 10_000);

    /** How many exchanges one connection takes where the backend sets no limit, or a higher one. */
    private static final int MOST_STREAMS = 100;
    /** What short responses come to in one round of reads; beyond it, more of long ones is expected. */
    private static final int SHORT_ROUND = 4 * 1024;
    /** How long to wait for a file descriptor before it is tried again. */
    private static final Duration DESCRIPTOR_RETRY = Duration.ofMillis(100);
    /** A new connection is made before the numbers of streams are used up. */
    private static final int LAST_STREAM = Integer.MAX_VALUE - 1_000;

    private final Http2Backends loop;
    private final Backend backend;
    private final BackendConnections settings;
    private final BackendConnectionList list;
    private final Counters.Shard<BackendCounter> counters;
    private final BudgetedReads reads;
    private final FrameReader reader;
    private final BackendFrames received;
    private final BackendStreams streams = new BackendStreams(this, /* mostUnused= */ MOST_STREAMS);
    private final WaitingExchanges waiters = new WaitingExchanges();
    private final List<BackendStream> passedOn = new ArrayList<>();
    private final Deadline deadline = new Deadline();
    private final PingDeadline pings;
    private final long retireNanos;
    private final ChannelOctets octets = new ChannelOctets();
    private final FrameOutput frames;
    private final SendFlow flow;

    /** Not yet connected, perhaps. */
    private @Nullable Channel made;

    /** Null until it is connected. */
    private @Nullable Channel channel;

    private @Nullable Supplier<ByteBuf> opening;
    private boolean lacksDescriptor;
    private long descriptorEndNanos;
    private int nextStream = 1;
    private long readNanos;
    private long roundBytes;
    private boolean leaving;
    private boolean closed;

    Http2BackendConnection(Http2Backends loop, Backend backend, BackendConnectionList list, BudgetedReads reads) {
        Worker worker = loop.worker;
        this.loop = loop;
        this.backend = backend;
        this.settings = list.settings();
        this.list = list;
        this.counters = backend.stats().counters(worker.index());
        this.reads = reads;
        this.frames = new FrameOutput(octets, worker.allocator(), worker.eventLoop(), loop.copied);
        this.flow = new SendFlow(frames, loop.block, worker, worker.transit());
        this.received = new BackendFrames(this, streams, octets);
        this.reader = new FrameReader(received, worker.allocator());
        this.pings = new PingDeadline(worker, new Pings());
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

    /** Whether another exchange may come. */
    boolean hasRoom() {
        if (leaving || closed || loop.worker.now() - retireNanos >= 0) {
            return false;
        }
        int most = mostStreams();
        if (streams.count() + waiters.size() >= most) {
            waiters.sweep(); // attempts that were given up need no room
        }
        return streams.count() + waiters.size() < most;
    }

    private int mostStreams() {
        return Math.min(
                MOST_STREAMS,
                received.isSettled() ? received.settings().mostStreams() : Math.max(1, list.mostStreams()));
    }

    boolean isBeingMade() {
        return channel == null;
    }

    /** Returns a stream for an exchange; null if the exchange has to wait for one. */
    @Nullable BackendSide open(Exchange exchange) {
        if (channel == null || (!received.isSettled() && (exchange.asksForWebSocket() || !streams.isEmpty()))) {
            waiters.add(exchange.ticket());
            return null;
        }
        return start(exchange);
    }

    /** An attempt waits for a stream of this connection, which is not made yet. */
    void await(AttemptTicket ticket) {
        waiters.add(ticket);
    }

    private @Nullable BackendSide start(Exchange exchange) {
        if (exchange.asksForWebSocket() && !received.settings().takesExtendedConnect()) {
            if (settings.protocol() == BackendProtocol.AUTO) {
                return loop.insteadOfTunnel(backend, settings, exchange);
            }
            exchange.ticket().connectFailed(Failure.TUNNEL_UNSUPPORTED, "its settings do not allow a WebSocket");
            return null;
        }
        list.used(this);
        boolean reused = nextStream > 1;
        if (reused) {
            counters.increment(BackendCounter.REUSES);
        }
        if (streams.isEmpty()) {
            pings.begin();
        }
        BackendStream stream = streams.add(nextStream);
        stream.begin(nextStream, received.settings().initialWindow(), reused, exchange);
        nextStream += 2;
        if (nextStream > LAST_STREAM) {
            leave();
        }
        if (received.isSettled()) {
            loop.worker.deadlines().clear(deadline);
        }
        return stream;
    }

    /** @param first makes what is written first; null for nothing */
    void connect(@Nullable Supplier<ByteBuf> first) {
        opening = first;
        BackendConnector.connect(
                loop.worker, loop.security(backend), backend, settings, this, reads, opening, this::connectDone);
    }

    /**
     * There is no file descriptor for the connection: waits for one for as long as connecting may take. False if that is over,
     * or if there is no other connection whose end could help.
     */
    private boolean awaitsDescriptor() {
        long now = loop.worker.now();
        boolean isFirst = !lacksDescriptor;
        if (isFirst) {
            lacksDescriptor = true;
            descriptorEndNanos = now + settings.connectTimeout().toNanos();
        } else if (now - descriptorEndNanos >= 0 || list.isAlone(this)) {
            return false;
        }
        loop.worker.setDeadline(deadline, DESCRIPTOR_RETRY);
        return true;
    }

    /** Those that wait go to connections that have room meanwhile; for the others, there may be a descriptor now. */
    private void connectAgain() {
        Http2BackendConnection other = list.madeBeside(this);
        while (other != null) {
            AttemptTicket next = waiters.next();
            if (next == null) {
                break;
            }
            next.connect(other::open);
            other = list.madeBeside(this);
        }
        waiters.sweep();
        if (waiters.isEmpty()) {
            closed = true;
            list.remove(this);
        } else {
            connect(opening);
        }
    }

    private void connectDone(@Nullable Failure failure, String reason) {
        if (failure == Failure.NO_DESCRIPTORS && !closed && awaitsDescriptor()) {
            return;
        }
        if (failure != null) {
            closed = true;
            list.remove(this);
            waiters.dismiss(failure, reason);
            return;
        }
        if (list.choseHttp1(requireNonNull(made))) {
            closed = true; // for this handler; the connection goes on under another one
            list.giveAway(this, requireNonNull(made), reads, waiters);
        } else {
            made();
        }
    }

    /** It is connected, and its backend speaks HTTP/2. */
    void made() {
        counters.increment(BackendCounter.CONNECTS);
        begin(requireNonNull(made));
        loop.worker.setDeadline(deadline, settings.responseTimeout()); // for its settings
        admit();
    }

    /** Gives streams to those that wait: to one before the backend has said how many it takes, then to so many. */
    private void admit() {
        while (!closed && (received.isSettled() ? streams.count() < mostStreams() : streams.isEmpty())) {
            AttemptTicket next = waiters.next(/* tunnels= */ received.isSettled());
            if (next == null) {
                return;
            }
            next.connect(this::start);
        }
    }

    /** Those for whom there is no room go to another connection. */
    private void moveOn() {
        for (AttemptTicket next = waiters.next(); next != null; next = waiters.next()) {
            next.connect(exchange -> list.open(exchange, /* fresh= */ false));
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        made = ctx.channel();
        loop.worker.transport().prepare(ctx.pipeline());
    }

    private void begin(Channel connected) {
        channel = connected;
        octets.connected(connected, loop.worker.transit());
        readNanos = loop.worker.now();
        Opening.write(settings, frames);
    }

    void flushSoon() {
        frames.flushSoon();
    }

    void windowUpdate(int stream, int increment) {
        frames.windowUpdate(stream, increment);
        frames.flushSoon();
    }

    /** A part of this stream's response was passed to its client, which sends it when this round of reading is over. */
    void passedOn(BackendStream stream) {
        passedOn.add(stream);
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether a stream of that number was opened. */
    boolean isOurs(int stream) {
        return (stream & 1) == 1 && stream < nextStream;
    }

    /** The backend has said how much it takes, for the first time or anew. */
    void settled(int mostStreams) {
        list.mostStreams(mostStreams);
        admit();
        if (mostStreams == 0) {
            waiters.dismiss(Failure.STREAM_REFUSED, "it takes no streams");
            leave();
        }
        moveOn();
        idle();
    }

    BackendStreams streams() {
        return streams;
    }

    /** The stream is over for both sides. */
    void ended(BackendStream stream) {
        streams.remove(stream.id());
        stream.release();
        idle();
    }

    /** The stream is over, and the backend is told so if it knows of it. */
    void cancel(BackendStream stream) {
        if (streams.remove(stream.id()) != null && !closed && stream.isBegun()) {
            frames.reset(stream.id(), ErrorCode.CANCEL);
            frames.flushSoon();
        }
        stream.release();
        idle();
    }

    /** The backend was too slow. If nothing at all came from it meanwhile, the connection is not trusted any more. */
    void timedOut(BackendStream stream) {
        boolean silent =
                loop.worker.now() - readNanos >= settings.responseTimeout().toNanos();
        cancel(stream);
        if (silent) {
            leave();
        }
    }

    /** It is looked whether any exchange uses the connection. */
    void idle() {
        if (streams.isEmpty() && waiters.isEmpty() && channel != null && !closed) {
            if (leaving) {
                close();
            } else if (received.isSettled()) {
                long end = Math.min(loop.worker.now() + settings.idleTimeout().toNanos(), retireNanos);
                loop.worker.deadlines().set(deadline, end);
                list.unused(this);
            }
        }
    }

    /** Takes no more exchanges, and is closed when those that run are over. */
    void leave() {
        if (!leaving) {
            leaving = true;
            list.remove(this);
            waiters.dismiss(Failure.CONNECT_TIMEOUT, "no settings of HTTP/2 came");
            idle();
        }
    }

    /** Takes no more exchanges than wait for it already, and is closed when they are over. */
    void retire() {
        if (channel != null && waiters.isEmpty()) {
            leave();
        }
    }

    void closeIfIdle() {
        if (streams.isEmpty() && waiters.isEmpty()) {
            close();
        }
    }

    private void close() {
        fail(Failure.RESET_BEFORE_RESPONSE, "");
    }

    /** Ends the connection, and every exchange on it. */
    private void fail(Failure failure, String reason) {
        if (closed) {
            return;
        }
        closed = true;
        list.remove(this);
        loop.worker.deadlines().remove(deadline);
        pings.end();
        reader.release();
        received.release();
        frames.flush();
        flow.clear();
        Channel open = channel;
        if (open != null) {
            open.close();
        }
        List<BackendStream> failed = streams.all();
        streams.clear();
        failed.forEach(stream -> stream.fail(failure, reason));
        waiters.dismiss(Failure.CONNECT_FAILED, reason.isEmpty() ? "it ended before settings of HTTP/2 came" : reason);
    }

    /** Ends the connection for a fault of the backend; returns false. */
    boolean broken(ErrorCode code) {
        if (!closed) {
            frames.goAway(0, code);
            fail(Failure.BAD_RESPONSE, "the backend broke the rules of HTTP/2: " + code.name());
        }
        return false;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(Failure.RESET_BEFORE_RESPONSE, "");
        frames.release();
    }

    /** After a failed write no more exchanges come, and those that run get what the backend sent before. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelOutputShutdownEvent.INSTANCE && !closed) {
            LostOutput.stopWriting(ctx.channel());
            leaving = true;
            list.remove(this);
            idle();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (BudgetedReads.isPause(cause) || LostOutput.isCause(cause)) {
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
        reads.roundEnded(ctx.channel(), !passedOn.isEmpty() && roundBytes > SHORT_ROUND);
        roundBytes = 0;
        for (int i = 0; i < passedOn.size(); i++) {
            passedOn.get(i).responsePause();
        }
        passedOn.clear();
        streams.settle();
        if (!closed) {
            frames.flush();
        }
    }

    /** A part of a response came. */
    void responded() {
        pings.responded();
    }

    private final class Pings implements PingDeadline.Owner {

        @Override
        public boolean isOwed() {
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

        /** Also a fresh connection to this backend would be no better. */
        @Override
        public void lost() {
            streams.all().forEach(BackendStream::isNotStale);
            fail(Failure.RESET_BEFORE_RESPONSE, "no answer to a PING within " + PingDeadline.ANSWER.toSeconds() + " s");
        }
    }

    /** For the first settings, then for the end of the time that nobody uses it. */
    private final class Deadline extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            if (made == null) {
                connectAgain();
            } else if (received.isSettled()) {
                closeIfIdle();
            } else {
                leave(); // those that wait for its settings go elsewhere
            }
        }
    }
}
