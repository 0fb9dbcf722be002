package io.ballast.http.h2.client;

import io.ballast.core.stats.Counters;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.forwarding.PeerConnection;
import io.ballast.http.h2.flow.FrameOutput;
import io.ballast.http.h2.flow.SendFlow;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.FrameReader;
import io.ballast.http.h2.wire.Preface;
import io.ballast.http.h2.wire.Setting;
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
import io.ballast.http.serving.ClientOutput;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.ballast.net.budget.ConnectionShedding;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/2 client connection (RFC 9113): reads frames, dispatches them to streams and flushes all responses
 * together. Limits open streams and pending data; {@link FloodGuard} limits useless work. Event-loop
 * confined.
 */
public final class Http2Connection extends ChannelInboundHandlerAdapter implements MultiplexedConnection {

    /** Maximum number of concurrent requests of a client. */
    static final int MAX_STREAMS = 128;
    /** Receive window of a stream in bytes; credited when body data is forwarded. */
    static final int STREAM_WINDOW = 64 * 1024;
    /**
     * Receive window of the connection in bytes. It is credited on receipt, because the stream windows already
     * limit the data.
     */
    static final int CONNECTION_WINDOW = 1024 * 1024;

    /** Number of the first stream that a client opens (RFC 9113 section 5.1.1). */
    private static final int FIRST_STREAM = 1;
    /** If one read yields more body bytes than this, more body data is expected. */
    private static final int LARGE_READ_BYTES = 4096;

    private final Http2Loop loop;
    private final Listener listener;
    private final ConnectionSettings settings;
    private final Counters.Shard<ListenerCounter> counters;
    private final ProxiedClient proxiedClient;
    private final long affinity;
    private final Channel channel;
    private final ClientOutput output;
    private final FrameOutput frames;
    private final SendFlow flow;
    private final FrameReader reader;
    private final ClientLifecycle lifecycle;
    private final ConnectionClock clock;
    private final BudgetedRecvByteBufAllocator readAllocator;
    private final FloodGuard guard;
    private final ClientStreams<Http2Stream> streams;
    private final ClientFrames clientFrames;
    private final MemoryShedding memoryShedding = new MemoryShedding();
    /**
     * The WebSocket protocol if clients may use it; stored here, because each lookup in the settings would allocate.
     */
    private final @Nullable UpgradeProtocol webSocket;

    private boolean alreadyCounted;
    private int prefaceBytes;
    private long receivedBytes;

    /** @param settings the listener settings, which the connection keeps for its lifetime */
    public Http2Connection(
            Http2Loop loop,
            Listener listener,
            ConnectionSettings settings,
            Channel channel,
            SocketAddress peer,
            SocketAddress local) {
        Worker worker = loop.worker;
        this.loop = loop;
        this.listener = listener;
        this.settings = settings;
        this.counters = listener.counters().shard(worker.index());
        this.proxiedClient = new ProxiedClient(peer, local);
        this.affinity = PeerAddress.affinity(peer, worker.random());
        this.channel = channel;
        this.readAllocator = worker.readAllocatorOf(channel);
        this.output = new ClientOutput(channel, worker.transit(), counters);
        this.frames =
                new FrameOutput(new ClientFrameOutput(output), worker.allocator(), worker.eventLoop(), loop.copyBuffer);
        this.flow = new SendFlow(frames, loop.block, worker, worker.transit());
        this.clock = new ConnectionClock(worker);
        this.guard = new FloodGuard(worker);
        this.streams = new ClientStreams<>(this::newStream);
        this.lifecycle = new ClientLifecycle(this, counters, output, frames, streams, guard);
        this.clientFrames = new ClientFrames(this, streams);
        this.reader = new FrameReader(clientFrames, worker.allocator());
        this.webSocket = settings.webSocket();
    }

    /** Marks the connection as already counted, because it was accepted before its protocol was detected. */
    public Http2Connection alreadyCounted() {
        alreadyCounted = true;
        return this;
    }

    private Http2Stream newStream() {
        ListenerConfig config = settings.config();
        return new Http2Stream(
                this,
                new ClientAddress(
                        new PeerConnection(
                                proxiedClient.client(),
                                PeerAddress.port(proxiedClient.local()),
                                config.tls().isPresent(),
                                MajorVersion.HTTP_2),
                        settings.forwarding()));
    }

    @Override
    public MajorVersion version() {
        return MajorVersion.HTTP_2;
    }

    @Override
    public boolean isFirst(long stream) {
        return stream == FIRST_STREAM;
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
    public Channel channel() {
        return channel;
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

    FrameOutput frames() {
        return frames;
    }

    @Override
    public @Nullable UpgradeProtocol webSocket() {
        return webSocket;
    }

    ClientFrames clientFrames() {
        return clientFrames;
    }

    ClientLifecycle lifecycle() {
        return lifecycle;
    }

    @Override
    public FloodGuard guard() {
        return guard;
    }

    @Override
    public ConnectionClock clock() {
        return clock;
    }

    // ---- connection events

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        if (!alreadyCounted) {
            counters.increment(ListenerCounter.CONNECTIONS_OPENED);
        }
        counters.increment(ListenerCounter.HTTP2_CONNECTIONS);
        loop.worker.shedding().add(memoryShedding);
        frames.settings(
                Setting.MAX_CONCURRENT_STREAMS,
                MAX_STREAMS,
                Setting.INITIAL_WINDOW_SIZE,
                STREAM_WINDOW,
                Setting.MAX_HEADER_LIST_SIZE,
                settings.config().limits().headBytes(),
                Setting.NO_RFC7540_PRIORITIES,
                1,
                Setting.ENABLE_CONNECT_PROTOCOL,
                webSocket == null ? 0 : 1);
        frames.windowUpdate(0, CONNECTION_WINDOW - Setting.DEFAULT_WINDOW);
        lifecycle.begin();
        frames.flushSoon();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        end();
        loop.worker.shedding().remove(memoryShedding);
        loop.worker.descriptors().freed();
        counters.increment(ListenerCounter.CONNECTIONS_CLOSED);
        listener.closed(settings, proxiedClient.client());
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end();
    }

    private void end() {
        lifecycle.end();
        stopAll(Failure.CLIENT_GONE);
        clientFrames.release();
        reader.release();
        frames.release();
    }

    /** Ends all streams without notifying the client. */
    void stopAll(Failure failure) {
        clientFrames.forgetAll();
        flow.clear();
        streams.removeAll(stream -> stream.stop(failure));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (BudgetedRecvByteBufAllocator.isPause(cause)) {
            return;
        }
        UnexpectedErrors.report(cause); // client resets are not reported; channelInactive cleans up
        ctx.close();
    }

    /** Lets open streams finish and accepts no new streams (RFC 9113 section 6.8). */
    public void drain() {
        lifecycle.drain();
    }

    // ---- reading

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf received = (ByteBuf) message;
        loop.worker.readClock();
        receivedBytes += received.readableBytes();
        counters.add(ListenerCounter.BYTES_IN, received.readableBytes());
        if (lifecycle.isClosing()) {
            output.discard(received);
            return;
        }
        if (prefaceBytes < Preface.LENGTH && !readPreface(received)) {
            received.release();
            return;
        }
        reader.read(received);
    }

    private boolean readPreface(ByteBuf received) {
        while (received.isReadable() && prefaceBytes < Preface.LENGTH) {
            if (received.readByte() != Preface.at(prefaceBytes++)) {
                lifecycle.fail(ErrorCode.PROTOCOL_ERROR);
                return false;
            }
        }
        return received.isReadable();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        clientFrames.sendDelayedRequest();
        readAllocator.endReadLoop(ctx.channel(), clientFrames.takeBodyBytes() > LARGE_READ_BYTES);
        frames.flush();
        if (!lifecycle.isClosing() && !output.isWritable()) {
            output.setReading(false); // stop reading while output is blocked
        }
    }

    @Override
    public void awaitBody(ClientStream stream) {
        clientFrames.delayRequest(stream);
    }

    // ---- sending

    @Override
    public void flushSoon() {
        frames.flushSoon();
    }

    SendFlow flow() {
        return flow;
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        clock.setRunning(output.isWritable());
        if (!output.isWritable()) {
            lifecycle.awaitReader();
            return;
        }
        if (lifecycle.isClosing()) {
            return;
        }
        output.setReading(true);
        if (clientFrames.isInHead()) {
            lifecycle.awaitHead();
        }
        lifecycle.updateDeadline();
        flow.pump();
        streams.forEach(ClientStream::resumeResponse); // resume the streams even if other streams wait for a window
    }

    // ---- end of streams

    @Override
    public void stopReceiving(ClientStream stream) {
        frames.reset((int) stream.id(), ErrorCode.NO_ERROR); // RFC 9113 section 8.1
    }

    @Override
    public void streamEnded(ClientStream stream, boolean isReset) {
        Http2Stream ended = streams.find(stream.id());
        if (ended == null) {
            return;
        }
        remove(ended);
        if (isReset) {
            streams.noteReset((int) stream.id());
        }
        ended.release();
        streams.recycle(ended);
        lifecycle.updateDeadline();
    }

    @Override
    public void resetStream(ClientStream stream, StreamError error) {
        resetStream(stream, code(error));
    }

    private static ErrorCode code(StreamError error) {
        return switch (error) {
            case MALFORMED -> ErrorCode.PROTOCOL_ERROR;
            case FLOW_CONTROL -> ErrorCode.FLOW_CONTROL_ERROR;
            case INTERNAL -> ErrorCode.INTERNAL_ERROR;
            case CANCELLED -> ErrorCode.CANCEL;
            case EXCESSIVE_LOAD -> ErrorCode.ENHANCE_YOUR_CALM;
        };
    }

    /** Like {@link #resetStream(ClientStream, StreamError)}, with the code of HTTP/2. */
    void resetStream(ClientStream stream, ErrorCode code) {
        Http2Stream known = streams.find(stream.id());
        if (known == null || known != stream) {
            return;
        }
        int id = (int) stream.id();
        remove(known);
        frames.reset(id, code);
        frames.flushSoon();
        streams.noteReset(id);
        known.stop(Failure.BAD_REQUEST);
        streams.recycle(known);
        lifecycle.updateDeadline();
        lifecycle.charge(FloodGuard.RESET);
    }

    @Override
    public boolean exceedsResponseMemoryLimit() {
        return streams.localResponseBytes() > loop.worker.transit().maxBufferedBytes();
    }

    void remove(Http2Stream stream) {
        streams.remove(stream);
        clientFrames.forget(stream);
        flow.dequeue(stream.output());
    }

    // ---- memory pressure

    private final class MemoryShedding extends ConnectionShedding.Sheddable {

        @Override
        protected long bufferedBytes() {
            return frames.pendingBytes()
                    + reader.bufferedBytes()
                    + clientFrames.bufferedBytes()
                    + streams.bufferedBytes();
        }

        @Override
        protected long movedBytes() {
            return receivedBytes + output.acceptedBytes();
        }

        @Override
        protected void shed() {
            stopAll(Failure.SHED);
            output.abort(/* visibly= */ true);
        }
    }
}
