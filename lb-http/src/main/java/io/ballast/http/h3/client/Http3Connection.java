package io.ballast.http.h3.client;

import static java.util.Objects.requireNonNull;

import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.forwarding.PeerConnection;
import io.ballast.http.head.MajorVersion;
import io.ballast.http.head.UpgradeProtocol;
import io.ballast.http.multiplex.ClientStream;
import io.ballast.http.multiplex.ClientStreams;
import io.ballast.http.multiplex.ConnectionClock;
import io.ballast.http.multiplex.FloodGuard;
import io.ballast.http.multiplex.MultiplexLoop;
import io.ballast.http.multiplex.MultiplexedConnection;
import io.ballast.http.multiplex.StreamError;
import io.ballast.http.net.PeerAddress;
import io.ballast.http.net.ProxiedClient;
import io.ballast.http.net.UnexpectedErrors;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.net.budget.ConnectionShedding;
import io.ballast.net.timer.DeadlineWheel;
import io.ballast.net.tls.TlsSessionInfo;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http3.DefaultHttp3GoAwayFrame;
import io.netty.handler.codec.http3.DefaultHttp3SettingsFrame;
import io.netty.handler.codec.http3.Http3;
import io.netty.handler.codec.http3.Http3ServerConnectionHandler;
import io.netty.handler.codec.http3.Http3Settings;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicException;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.handler.ssl.SniCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/3 client connection (RFC 9114): its handshake, its request streams and its end. QUIC limits the open streams;
 * {@link FloodGuard} limits useless work. Event-loop confined.
 */
public final class Http3Connection extends ChannelInboundHandlerAdapter implements MultiplexedConnection {

    /** Maximum number of concurrent requests of a client. */
    public static final int MAX_STREAMS = 128;
    /** A stream whose request has more bytes that are not forwarded yet is not read. */
    static final int MAX_HELD_BYTES = 64 * 1024;

    /**
     * Maximum number of aborted streams of a connection, which then accepts no more requests: Netty keeps the channel of
     * an aborted stream until the connection ends.
     */
    private static final int MAX_ABORTED_STREAMS = 200;
    /** The difference between the numbers of two successive requests (RFC 9000 section 2.1). */
    private static final int STREAM_NUMBERS = 4;
    /**
     * Netty closes the connection if a head is larger than this multiple of the configured limit. A smaller head that is
     * too large gets a response.
     */
    private static final int MAX_HEAD_FACTOR = 4;
    /** The time in which QUIC repeats lost data after the last response, before the connection is closed. */
    private static final Duration CLOSE_DELAY = Duration.ofSeconds(1);

    private final Http3Loop loop;
    private final Listener listener;
    private final ConnectionSettings settings;
    private final QuicChannel channel;
    private final Runnable onHandshakeEnd;
    private final Counters.Shard<ListenerCounter> counters;
    private final ProxiedClient proxiedClient;
    private final long affinity;
    private final FloodGuard guard;
    private final ConnectionClock clock;
    private final ClientStreams<Http3Stream> streams;
    private final MemoryShedding memoryShedding = new MemoryShedding();
    private final Deadline deadline = new Deadline();

    private @Nullable String serverName;
    private boolean established;
    private boolean goingAway;
    private boolean closing;
    private boolean released;
    /** The number that the next request has at least. */
    private long nextStream;

    private int requestCount;
    private int abortedStreams;
    private int waitingStreams;
    private long bodyBytesSent;
    private long movedBytes;

    /**
     * @param settings the listener settings, which the connection keeps for its lifetime; the listener has admitted the
     *     client with them
     * @param onHandshakeEnd run once, when the handshake is complete or has failed
     */
    public Http3Connection(
            Http3Loop loop,
            Listener listener,
            ConnectionSettings settings,
            QuicChannel channel,
            SocketAddress peer,
            SocketAddress local,
            Runnable onHandshakeEnd) {
        Worker worker = loop.worker;
        this.loop = loop;
        this.listener = listener;
        this.settings = settings;
        this.channel = channel;
        this.onHandshakeEnd = onHandshakeEnd;
        this.counters = listener.counters().shard(worker.index());
        this.proxiedClient = new ProxiedClient(peer, local);
        this.affinity = PeerAddress.affinity(peer, worker.random());
        this.guard = new FloodGuard(worker);
        this.clock = new ConnectionClock(worker);
        this.streams = new ClientStreams<>(this::newStream);
    }

    private Http3Stream newStream() {
        return new Http3Stream(
                this,
                new ClientAddress(
                        new PeerConnection(
                                proxiedClient.client(),
                                PeerAddress.port(proxiedClient.local()),
                                /* secure= */ true,
                                MajorVersion.HTTP_3),
                        settings.forwarding()));
    }

    // ---- properties

    @Override
    public MajorVersion version() {
        return MajorVersion.HTTP_3;
    }

    Http3Loop http3() {
        return loop;
    }

    @Override
    public MultiplexLoop loop() {
        return loop.streams;
    }

    @Override
    public Listener listener() {
        return listener;
    }

    @Override
    public ConnectionSettings settings() {
        return settings;
    }

    @Override
    public Channel channel() {
        return channel;
    }

    @Override
    public ProxiedClient proxiedClient() {
        return proxiedClient;
    }

    @Override
    public long affinity() {
        return affinity;
    }

    @Override
    public FloodGuard guard() {
        return guard;
    }

    @Override
    public ConnectionClock clock() {
        return clock;
    }

    /** Returns null: WebSocket over HTTP/3 (RFC 9220) is not supported. */
    @Override
    public @Nullable UpgradeProtocol webSocket() {
        return null;
    }

    @Override
    public boolean isFirst(long stream) {
        return stream == 0;
    }

    int maxHeadBytes() {
        return settings.config().limits().headBytes();
    }

    // ---- connection events

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        counters.increment(ListenerCounter.CONNECTIONS_OPENED);
        loop.worker.shedding().add(memoryShedding);
        loop.worker.readClock();
        loop.worker.setDeadline(deadline, settings.config().startTimeout());
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SniCompletionEvent sni) {
            serverName = sni.hostname();
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        established = true;
        onHandshakeEnd.run();
        if (listener.isDraining()) {
            close(Http3Code.NO_ERROR);
            return;
        }
        counters.increment(ListenerCounter.HTTP3_CONNECTIONS);
        TlsSessionInfo.store(channel, requireNonNull(channel.sslEngine()).getSession(), serverName, "h3");
        loop.worker.readClock();
        loop.worker.setDeadline(deadline, settings.config().deadlines().requestHead());
        ctx.pipeline().addLast(newHttp3Handler());
        ctx.fireChannelActive();
    }

    private Http3ServerConnectionHandler newHttp3Handler() {
        Http3Settings ours = new Http3Settings().maxFieldSectionSize((long) MAX_HEAD_FACTOR * maxHeadBytes());
        return new Http3ServerConnectionHandler(
                new ChannelInitializer<QuicStreamChannel>() {
                    @Override
                    protected void initChannel(QuicStreamChannel stream) {
                        stream.pipeline().addLast(new Http3StreamHandler(Http3Connection.this, stream));
                    }
                },
                new ControlFrames(),
                /* unknownInboundStreamHandlerFactory= */ null,
                new DefaultHttp3SettingsFrame(ours),
                /* disableQpackDynamicTable= */ true);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        end();
        if (released) {
            return;
        }
        released = true;
        if (!established) {
            onHandshakeEnd.run();
            counters.increment(ListenerCounter.TLS_FAILED);
        }
        loop.worker.deadlines().remove(deadline);
        loop.worker.shedding().remove(memoryShedding);
        counters.increment(ListenerCounter.CONNECTIONS_CLOSED);
        listener.closed(settings, proxiedClient.client());
    }

    private void end() {
        closing = true;
        stopAll(Failure.CLIENT_GONE);
    }

    private void stopAll(Failure failure) {
        streams.removeAll(stream -> {
            Http3StreamHandler handler = requireNonNull(stream.handler());
            stream.stop(failure);
            handler.detach();
        });
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof QuicException) && !(cause instanceof ClosedChannelException)) {
            UnexpectedErrors.report(cause);
            ctx.close();
        }
    }

    // ---- streams

    /** Whether a request with this number may begin. */
    boolean accepts(long stream) {
        if (goingAway && stream >= nextStream) {
            return false;
        }
        return !closing;
    }

    /** Opens a stream object for the QUIC stream of {@code handler}. */
    Http3Stream open(Http3StreamHandler handler) {
        long number = handler.channel().streamId();
        nextStream = Math.max(nextStream, number + STREAM_NUMBERS);
        loop.worker.deadlines().clear(deadline);
        Http3Stream stream = streams.add(number);
        stream.attach(handler);
        return stream;
    }

    /** Counts a request; drains the connection at the limit. */
    void countServed() {
        int max = settings.config().limits().requestsPerConnection();
        if (max > 0 && ++requestCount >= max && !goingAway) {
            counters.increment(ListenerCounter.CONNECTIONS_USED_UP);
            drain();
        } else if (listener.isLastExchange(settings)) {
            drain();
        }
    }

    /** Counts a stream that was reset; drains the connection at the limit. */
    void countAborted() {
        if (++abortedStreams >= MAX_ABORTED_STREAMS) {
            drain();
        }
    }

    /** Ends a request whose client has cancelled it or has disconnected. */
    void cancelled(Http3Stream stream) {
        if (streams.find(stream.id()) == stream) {
            streams.remove(stream);
            stream.stop(Failure.CLIENT_GONE);
            streams.recycle(stream);
            updateDeadline();
        }
    }

    @Override
    public void awaitBody(ClientStream stream) {
        Http3Stream known = streams.find(stream.id());
        if (known != null) {
            requireNonNull(known.handler()).delay();
        }
    }

    @Override
    public void flushSoon() {
        // Netty sends each write to a stream at once.
    }

    @Override
    public void resetStream(ClientStream stream, StreamError error) {
        Http3Stream known = streams.find(stream.id());
        if (known == null || known != stream) {
            return;
        }
        streams.remove(known);
        Http3StreamHandler handler = requireNonNull(known.handler());
        known.stop(Failure.BAD_REQUEST);
        streams.recycle(known);
        handler.end(Http3Code.of(error));
        updateDeadline();
        charge(FloodGuard.RESET);
    }

    @Override
    public void stopReceiving(ClientStream stream) {
        Http3Stream known = streams.find(stream.id());
        if (known != null) {
            requireNonNull(known.handler()).stopReceiving();
        }
    }

    @Override
    public void streamEnded(ClientStream stream, boolean isReset) {
        Http3Stream known = streams.find(stream.id());
        if (known == null) {
            return;
        }
        streams.remove(known);
        Http3StreamHandler handler = requireNonNull(known.handler());
        known.release();
        if (isReset) {
            handler.close();
        } else {
            handler.detach();
        }
        streams.recycle(known);
        updateDeadline();
    }

    @Override
    public boolean exceedsResponseMemoryLimit() {
        return streams.localResponseBytes() > loop.worker.transit().maxBufferedBytes();
    }

    // ---- counts

    void countReceived(int bytes) {
        counters.add(ListenerCounter.BYTES_IN, bytes);
        movedBytes += bytes;
    }

    void countSent(int bytes) {
        counters.add(ListenerCounter.BYTES_OUT, bytes);
        movedBytes += bytes;
    }

    /** Counts body bytes that QUIC has accepted. */
    void bodySent(int bytes) {
        bodyBytesSent += bytes;
    }

    long bodyBytesSent() {
        return bodyBytesSent;
    }

    /** Counts a stream whose response begins or ends to wait for the client. */
    void countWaiting(boolean begins) {
        waitingStreams += begins ? 1 : -1;
    }

    /** The number of streams whose response waits for the client. */
    int waitingStreams() {
        return waitingStreams;
    }

    /** Charges {@code cost} to the flood guard; closes the connection if its allowance is exceeded. */
    void charge(int cost) {
        if (!guard.spend(cost) && !closing) {
            counters.increment(ListenerCounter.HTTP3_FLOODS);
            counters.increment(ListenerCounter.HTTP3_ERRORS);
            close(Http3Code.EXCESSIVE_LOAD);
        }
    }

    // ---- end of the connection

    /** Lets open streams finish and accepts no new streams (RFC 9114 section 5.2). */
    public void drain() {
        if (goingAway || closing) {
            return;
        }
        goingAway = true;
        QuicStreamChannel control = established ? Http3.getLocalControlStream(channel) : null;
        if (control == null) {
            close(Http3Code.NO_ERROR);
            return;
        }
        control.writeAndFlush(new DefaultHttp3GoAwayFrame(nextStream));
        updateDeadline();
    }

    private void updateDeadline() {
        if (closing || !streams.isEmpty()) {
            return;
        }
        if (!goingAway && listener.isLastExchange(settings)) {
            drain();
            return;
        }
        Duration time = goingAway ? CLOSE_DELAY : settings.config().deadlines().keepAlive();
        loop.worker.setDeadline(deadline, time);
    }

    private void close(Http3Code code) {
        if (!closing) {
            end();
            channel.close(/* applicationClose= */ true, code.number, Unpooled.EMPTY_BUFFER);
        }
    }

    private void deadlineOver() {
        if (!established) {
            established = true; // the failure is counted here
            onHandshakeEnd.run();
            counters.increment(ListenerCounter.TLS_TIMED_OUT);
            closing = true;
            channel.close();
        } else if (goingAway) {
            close(Http3Code.NO_ERROR);
        } else {
            drain(); // the idle timeout has expired
        }
    }

    private final class Deadline extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            deadlineOver();
        }
    }

    // ---- control stream

    /** Receives the frames and errors of the client's control stream. */
    private final class ControlFrames extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ReferenceCountUtil.release(message);
            charge(FloodGuard.FRAME);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            if (!closing) {
                counters.increment(ListenerCounter.HTTP3_ERRORS); // Netty closes the connection
            }
        }
    }

    // ---- memory pressure

    private final class MemoryShedding extends ConnectionShedding.Sheddable {

        @Override
        protected long bufferedBytes() {
            return streams.bufferedBytes();
        }

        @Override
        protected long movedBytes() {
            return movedBytes;
        }

        @Override
        protected void shed() {
            stopAll(Failure.SHED);
            close(Http3Code.EXCESSIVE_LOAD);
        }
    }
}
