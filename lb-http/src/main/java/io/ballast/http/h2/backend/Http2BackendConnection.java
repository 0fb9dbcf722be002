package io.ballast.http.h2.backend;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.stats.Counters;
import io.ballast.http.connect.BackendConnector;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.h2.flow.FrameOutput;
import io.ballast.http.h2.flow.SendFlow;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.h2.wire.FrameReader;
import io.ballast.http.h2.wire.HeaderBlocks;
import io.ballast.http.h2.wire.PeerSettings;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.net.UnexpectedErrors;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.net.budget.BudgetedReads;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a backend that speaks HTTP/2 (RFC 9113), on which many exchanges run at once. Those that come while it is
 * being made wait for it, and all but the first until the backend has said how many it takes. Event-loop confined.
 */
final class Http2BackendConnection extends ChannelInboundHandlerAdapter implements FrameReader.Sink {

    /** What a backend may send of a response before some of it was passed on. */
    static final int STREAM_WINDOW = 128 * 1024;
    /** What it may send of all of them; what came is credited at once, since each stream's own window bounds it. */
    static final int CONNECTION_WINDOW = 8 * 1024 * 1024;
    /** Of our own making, after all limits were kept. */
    static final HeadLimits OWN_LIMITS = new HeadLimits(1 << 20, 1 << 20, 1 << 20, 10_000);

    /** How many exchanges one connection takes where the backend sets no limit, or a higher one. */
    private static final int MOST_STREAMS = 100;
    /** A new connection is made before the numbers of streams are used up. */
    private static final int LAST_STREAM = Integer.MAX_VALUE - 1_000;

    private final Http2Backends loop;
    private final Backend backend;
    private final BackendConnections settings;
    private final BackendConnectionList list;
    private final Counters.Shard<BackendCounter> counters;
    private final BudgetedReads reads;
    private final FrameReader reader;
    private final HeaderBlocks blocks;
    private final PeerSettings peer = new PeerSettings();
    private final BackendStreams streams = new BackendStreams(this, /* mostUnused= */ MOST_STREAMS);
    private final WaitingExchanges waiters;
    private final List<Exchange> passedOn = new ArrayList<>();
    private final Deadline deadline = new Deadline();
    private final long retireNanos;
    private final ChannelOctets octets = new ChannelOctets();
    private final FrameOutput frames;
    private final SendFlow flow;

    /** Not yet connected, perhaps. */
    private @Nullable Channel made;

    /** Null until it is connected. */
    private @Nullable Channel channel;

    private int nextStream = 1;
    private final ReceiveWindow window = new ReceiveWindow(CONNECTION_WINDOW);
    private long readNanos;
    private boolean prefaced;
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
        this.reader = new FrameReader(this, worker.allocator());
        this.blocks = new HeaderBlocks(settings.responseLimits().headBytes());
        this.waiters = new WaitingExchanges(backend);
        this.frames = new FrameOutput(octets, worker.allocator(), worker.eventLoop(), loop.copied);
        this.flow = new SendFlow(frames, loop.block, worker, worker.transit());
        long age = settings.maxAge().toNanos();
        this.retireNanos = worker.now() + age - worker.random().nextLong(age / 10 + 1);
    }

    Http2Backends loop() {
        return loop;
    }

    SendFlow flow() {
        return flow;
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
        return streams.count() + waiters.size() < mostStreams();
    }

    private int mostStreams() {
        return Math.min(MOST_STREAMS, prefaced ? peer.mostStreams() : Math.max(1, list.mostStreams()));
    }

    boolean isBeingMade() {
        return channel == null;
    }

    /** Gives an exchange a stream, now or as soon as there is a connection. */
    void open(Exchange exchange) {
        if (channel == null || (!prefaced && (exchange.asksForWebSocket() || !streams.isEmpty()))) {
            waiters.add(exchange);
        } else {
            start(exchange);
        }
    }

    private void start(Exchange exchange) {
        if (exchange.asksForWebSocket() && !peer.takesExtendedConnect()) {
            exchange.connectFailed(Failure.TUNNEL_UNSUPPORTED, "its settings do not allow a WebSocket");
            return;
        }
        list.used(this);
        boolean reused = nextStream > 1;
        if (reused) {
            counters.increment(BackendCounter.REUSES);
        }
        BackendStream stream = streams.add(nextStream);
        stream.begin(nextStream, peer.initialWindow(), reused, exchange);
        nextStream += 2;
        if (nextStream > LAST_STREAM) {
            leave();
        }
        if (prefaced) {
            loop.worker.deadlines().clear(deadline);
        }
        exchange.connected(stream);
    }

    /** @param opening makes what is written first; null for nothing */
    void connect(@Nullable Supplier<ByteBuf> opening) {
        BackendConnector.connect(
                loop.worker, loop.tls(backend), backend, settings, this, reads, opening, this::connectDone);
    }

    private void connectDone(@Nullable Failure failure, String reason) {
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
        while (!closed && (prefaced ? streams.count() < mostStreams() : streams.isEmpty())) {
            Exchange next = waiters.next(/* tunnels= */ prefaced);
            if (next == null) {
                return;
            }
            start(next);
        }
    }

    /** Those for whom there is no room go to another connection. */
    private void moveOn() {
        for (Exchange next = waiters.next(); next != null; next = waiters.next()) {
            list.open(next, /* fresh= */ false);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        made = ctx.channel();
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

    /** Something was handed to the client of this exchange, which it is to send once all that came was read. */
    void passedOn(Exchange exchange) {
        passedOn.add(exchange);
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

    private void idle() {
        if (streams.isEmpty() && waiters.isEmpty() && channel != null && !closed) {
            if (leaving) {
                close();
            } else if (prefaced) {
                long end = Math.min(loop.worker.now() + settings.idleTimeout().toNanos(), retireNanos);
                loop.worker.deadlines().set(deadline, end);
                list.unused(this);
            }
        }
    }

    /** Takes no more exchanges, and is closed when those that run are over. */
    private void leave() {
        if (!leaving) {
            leaving = true;
            list.remove(this);
            waiters.dismiss(Failure.CONNECT_TIMEOUT, "no settings of HTTP/2 came");
            idle();
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
        reader.release();
        blocks.release();
        frames.flush();
        flow.clear();
        Channel open = channel;
        if (open != null) {
            open.close();
        }
        List<BackendStream> failed = streams.all();
        streams.clear();
        failed.forEach(stream -> stream.fail(failure));
        waiters.dismiss(Failure.CONNECT_FAILED, reason.isEmpty() ? "it ended before settings of HTTP/2 came" : reason);
    }

    /** Ends the connection for a fault of the backend; returns false. */
    private boolean broken(ErrorCode code) {
        if (!closed) {
            frames.goAway(0, code);
            fail(Failure.BAD_RESPONSE, code.name());
        }
        return false;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(Failure.RESET_BEFORE_RESPONSE, "");
        frames.release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (BudgetedReads.isPause(cause)) {
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
        if (closed) {
            ((ByteBuf) message).release();
            return;
        }
        reader.read((ByteBuf) message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reads.expectMuch(!passedOn.isEmpty());
        for (int i = 0; i < passedOn.size(); i++) {
            passedOn.get(i).bodies().responsePause();
        }
        passedOn.clear();
        streams.settle();
        if (!closed) {
            frames.flush();
        }
    }

    @Override
    public boolean frame(int type, int flags, int stream, ByteBuf source, int at, int length) {
        if (closed || (!prefaced && (type != Frame.SETTINGS || (flags & Frame.ACK) != 0))) {
            return broken(ErrorCode.PROTOCOL_ERROR);
        }
        if (blocks.isOpen() && (type != Frame.CONTINUATION || stream != blocks.stream())) {
            return broken(ErrorCode.PROTOCOL_ERROR);
        }
        boolean goesOn =
                switch (type) {
                    case Frame.DATA -> data(flags, stream, source, at, length);
                    case Frame.HEADERS -> headers(flags, stream, source, at, length);
                    case Frame.CONTINUATION -> continuation(flags, source, at, length);
                    case Frame.RST_STREAM -> reset(stream, source, at, length);
                    case Frame.SETTINGS -> settings(flags, stream, source, at, length);
                    case Frame.PUSH_PROMISE, Frame.PRIORITY_UPDATE -> broken(ErrorCode.PROTOCOL_ERROR);
                    case Frame.PING -> ping(flags, stream, source, at, length);
                    case Frame.GOAWAY -> goAway(stream, source, at, length);
                    case Frame.WINDOW_UPDATE -> windowUpdate(stream, source, at, length);
                    default -> true;
                };
        return goesOn && !closed;
    }

    @Override
    public void tooLarge(int type, int stream) {
        broken(ErrorCode.FRAME_SIZE_ERROR);
    }

    private boolean headers(int flags, int stream, ByteBuf source, int at, int length) {
        int padding = (flags & Frame.PADDED) != 0 ? 1 : 0;
        int extra = padding + ((flags & Frame.PRIORITIZED) != 0 ? Frame.PRIORITY_BYTES : 0);
        int pads = padding > 0 && length > 0 ? source.getUnsignedByte(at) : 0;
        if (!isOurs(stream) || pads > length - extra) {
            return broken(ErrorCode.PROTOCOL_ERROR);
        }
        boolean ends = (flags & Frame.END_STREAM) != 0;
        if (!blocks.begin(stream, ends, source, at + extra, length - extra - pads)) {
            return broken(ErrorCode.ENHANCE_YOUR_CALM);
        }
        return (flags & Frame.END_HEADERS) == 0 || block();
    }

    private boolean continuation(int flags, ByteBuf source, int at, int length) {
        if (!blocks.isOpen()) {
            return broken(ErrorCode.PROTOCOL_ERROR);
        }
        if (!blocks.add(source, at, length)) {
            return broken(ErrorCode.ENHANCE_YOUR_CALM);
        }
        return (flags & Frame.END_HEADERS) == 0 || block();
    }

    /** A header block is whole. */
    private boolean block() {
        BackendStream stream = streams.find(blocks.stream());
        boolean trailers = stream != null && stream.isAnswered();
        loop.head.begin(trailers, settings.responseLimits().headBytes(), stream == null ? null : stream.accept());
        if (!blocks.decode(loop.head)) {
            return broken(ErrorCode.COMPRESSION_ERROR);
        }
        if (stream == null) {
            return true; // we gave it up
        }
        ErrorCode fault;
        if (loop.head.isMalformed() || (trailers && !blocks.endsStream())) {
            stream.fail(Failure.BAD_RESPONSE);
            fault = ErrorCode.PROTOCOL_ERROR;
        } else {
            fault = trailers ? stream.trailers() : stream.head(blocks.endsStream());
        }
        tell(stream, fault);
        return true;
    }

    /** Tells the backend why a stream that has failed is over. */
    private void tell(BackendStream stream, @Nullable ErrorCode fault) {
        if (fault != null && streams.remove(stream.id()) != null) {
            frames.reset(stream.id(), fault);
            frames.flushSoon();
            idle();
        }
    }

    private boolean data(int flags, int stream, ByteBuf source, int at, int length) {
        int padding = (flags & Frame.PADDED) != 0 ? 1 : 0;
        int pads = padding > 0 && length > 0 ? source.getUnsignedByte(at) : 0;
        if (!isOurs(stream) || pads > length - padding) {
            return broken(ErrorCode.PROTOCOL_ERROR);
        }
        if (!window.take(length, frames)) {
            return broken(ErrorCode.FLOW_CONTROL_ERROR);
        }
        BackendStream target = streams.find(stream);
        if (target != null) {
            boolean ends = (flags & Frame.END_STREAM) != 0;
            tell(target, target.data(source, at + padding, length - padding - pads, length, ends));
        }
        return true;
    }

    private boolean isOurs(int stream) {
        return (stream & 1) == 1 && stream < nextStream;
    }

    private boolean reset(int stream, ByteBuf source, int at, int length) {
        if (!isOurs(stream) || length != Frame.CODE_BYTES) {
            return broken(ErrorCode.PROTOCOL_ERROR);
        }
        BackendStream target = streams.remove(stream);
        if (target != null) {
            target.reset(source.getInt(at) == ErrorCode.REFUSED_STREAM.ordinal());
            idle();
        }
        return true;
    }

    private boolean settings(int flags, int stream, ByteBuf source, int at, int length) {
        if ((flags & Frame.ACK) != 0) {
            return true;
        }
        if (stream != 0 || length % Setting.BYTES != 0) {
            return broken(ErrorCode.FRAME_SIZE_ERROR);
        }
        int before = peer.initialWindow();
        ErrorCode fault = peer.apply(source, at, length);
        if (fault != null) {
            return broken(fault);
        }
        int change = peer.initialWindow() - before;
        flow.firstWindow(peer.initialWindow());
        if (change != 0 && !streams.all().stream().allMatch(target -> target.windowUpdate(change))) {
            return broken(ErrorCode.FLOW_CONTROL_ERROR);
        }
        if (!frames.isWritable()) {
            return broken(ErrorCode.ENHANCE_YOUR_CALM); // as with PING
        }
        frames.settingsAck();
        list.mostStreams(peer.mostStreams());
        prefaced = true;
        admit();
        if (peer.mostStreams() == 0) {
            waiters.dismiss(Failure.STREAM_REFUSED, "it takes no streams");
            leave();
        }
        moveOn();
        idle();
        flow.pump();
        return !closed;
    }

    private boolean ping(int flags, int stream, ByteBuf source, int at, int length) {
        if (stream != 0 || length != Frame.PING_BYTES) {
            return broken(ErrorCode.FRAME_SIZE_ERROR);
        }
        if ((flags & Frame.ACK) == 0) {
            if (!frames.isWritable()) {
                return broken(ErrorCode.ENHANCE_YOUR_CALM); // it asks and does not take the answers
            }
            frames.pingAck(source.getLong(at));
        }
        return true;
    }

    /** RFC 9113 section 6.8: what the backend has not begun may go to another one, or to another connection. */
    private boolean goAway(int stream, ByteBuf source, int at, int length) {
        if (stream != 0 || length < 2 * Integer.BYTES) {
            return broken(ErrorCode.FRAME_SIZE_ERROR);
        }
        int last = source.getInt(at) & Integer.MAX_VALUE;
        leave();
        for (BackendStream each : streams.all()) {
            if (each.id() > last && streams.remove(each.id()) != null) {
                each.leftBehind();
            }
        }
        idle();
        return !closed;
    }

    private boolean windowUpdate(int stream, ByteBuf source, int at, int length) {
        if (length != Frame.CODE_BYTES) {
            return broken(ErrorCode.FRAME_SIZE_ERROR);
        }
        int increment = source.getInt(at) & Integer.MAX_VALUE;
        if (stream == 0) {
            if (increment == 0 || !flow.grow(increment)) {
                return broken(ErrorCode.FLOW_CONTROL_ERROR);
            }
        } else {
            BackendStream target = streams.find(stream);
            if (target != null && !target.windowUpdate(increment)) {
                target.fail(Failure.BAD_RESPONSE);
                tell(target, ErrorCode.FLOW_CONTROL_ERROR);
            }
        }
        flow.pump();
        return true;
    }

    /** For the first settings, then for the end of the time that nobody uses it. */
    private final class Deadline extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            if (prefaced) {
                closeIfIdle();
            } else {
                leave(); // those that wait for its settings go elsewhere
            }
        }
    }
}
