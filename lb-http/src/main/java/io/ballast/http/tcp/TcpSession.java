package io.ballast.http.tcp;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.pool.Pool;
import io.ballast.core.stats.Counters;
import io.ballast.http.config.SessionConfig;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.net.LongLivedSession;
import io.ballast.http.net.PeerAddress;
import io.ballast.http.net.ProxiedClient;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Admission;
import io.ballast.http.relay.Failure;
import io.ballast.http.route.session.SessionRoutes;
import io.ballast.http.session.SessionReport;
import io.ballast.net.tls.ClientHello;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection and the connection to its backend. Its life cycle:
 *
 * <pre>
 *   added → (read the ClientHello) → search → connect → relay → end
 *                                               ▲  │
 *                                               └──┘ another backend
 * </pre>
 *
 * <p>In the relay phase, a side is read only while the other side accepts the data. When one peer has
 * finished sending, the output of the other side is shut down once all data is sent. The session ends when
 * both sides have ended. If one side fails, the other is reset, so that neither peer treats partial data as
 * complete.
 *
 * <p>Event-loop confined.
 */
final class TcpSession implements LongLivedSession {

    private enum State {
        /** The destination is not known yet. */
        START,
        /** No backend is connected; data from the client is buffered. */
        SEARCHING,
        RELAYING,
        OVER
    }

    private final Worker worker;
    private final Listener listener;
    private final ConnectionSettings settings;
    private final SessionConfig times;
    private final ProxiedClient proxiedClient;
    private final @Nullable ClientHello hello;
    private final Counters.Shard<ListenerCounter> counters;
    private final Admission admission;
    private final SessionReport report;
    private final SessionBackend backend;
    private final RelayChannel clientChannel;
    private final PendingClientData pendingClientData;
    private final IdleTimeout deadline;
    private final SheddableSession sheddable = new SheddableSession(this);

    private State state = State.START;
    private @Nullable Pool pool;
    private Counters.@Nullable Shard<BackendCounter> backendCounters;
    private boolean backendGone;
    private boolean clientSentData;
    private boolean backendSentData;

    /**
     * @param settings the settings of the listener at the start of the session
     * @param hello the result of the client's TLS handshake; null if the ClientHello must be read
     */
    TcpSession(
            Worker worker,
            Listener listener,
            ConnectionSettings settings,
            TcpSessions common,
            Channel channel,
            SocketAddress client,
            SocketAddress local,
            @Nullable ClientHello hello) {
        this.worker = worker;
        this.listener = listener;
        this.settings = settings;
        this.times = settings.config().session().orElseThrow();
        this.deadline = new IdleTimeout(this, worker, times.idle());
        this.proxiedClient = new ProxiedClient(client, local);
        this.hello = hello;
        this.counters = listener.counters().shard(worker.index());
        this.admission = new Admission(worker, listener.inFlight(), Duration.ZERO, () -> {});
        this.report = new SessionReport(worker, listener, client);
        report.accepted(channel, /* isTls= */ hello != null);
        this.backend = new SessionBackend(this, worker, listener, common.backends(), proxiedClient, report, this::fail);
        this.clientChannel = new RelayChannel(this, worker, worker.readAllocatorOf(channel));
        this.pendingClientData = new PendingClientData(worker.allocator());
    }

    /** The handler of a client's connection; adding it at the end of the pipeline starts the session. */
    ChannelHandler clientHandler() {
        return clientChannel;
    }

    // ---- begin

    void added(RelayChannel channel, ChannelHandlerContext ctx) {
        if (channel != clientChannel) {
            worker.transport().prepare(ctx.pipeline());
            return;
        }
        counters.increment(ListenerCounter.CONNECTIONS_OPENED);
        worker.shedding().add(sheddable);
        if (hello == null && listener.settings().sessions().needsClientHello()) {
            worker.setDeadline(deadline, times.start());
        } else {
            clientChannel.setReading(false);
            route(hello == null ? ClientHello.NONE : hello);
        }
    }

    private void readClientHello() {
        try {
            ClientHello read = pendingClientData.clientHello();
            if (read != null) {
                report.clientHelloRead(read);
                worker.deadlines().clear(deadline);
                clientChannel.setReading(false);
                route(read);
            }
        } catch (IllegalArgumentException e) {
            report.started();
            fail(Failure.BAD_REQUEST);
        }
    }

    private void route(ClientHello known) {
        state = State.SEARCHING;
        report.started();
        SessionRoutes routes = listener.settings().sessions();
        Pool target = routes.find(known, PeerAddress.bytes(proxiedClient.client()), worker.random());
        if (target == null) {
            fail(Failure.NO_ROUTE);
            return;
        }
        pool = target;
        backend.begin(target);
        if (admission.tryAcquire()) {
            backend.search(routes.generation());
        } else {
            fail(Failure.LISTENER_FULL);
        }
    }

    // ---- relay

    /** Starts to relay data, over the connection that was established. */
    void relay(RelayChannel channel) {
        state = State.RELAYING;
        worker.sessions().add(this);
        report.connected(backend());
        report.responded(backend());
        backendCounters = backend().stats().counters(worker.index());
        deadline.extend();
        channel.connected();
        ByteBuf waiting = pendingClientData.removeAll();
        if (waiting.isReadable()) {
            toBackend(channel, waiting);
        } else {
            waiting.release();
        }
        channel.flush();
        if (clientChannel.hasFinished()) {
            channel.shutDownWhenFlushed();
        }
        clientChannel.setReading(channel.isWritable());
    }

    /** Handles data received from the peer of one side; consumes {@code data}. */
    void received(RelayChannel from, ByteBuf data) {
        if (from == clientChannel) {
            counters.add(ListenerCounter.BYTES_IN, data.readableBytes());
            report.received(data);
        }
        if (state == State.RELAYING) {
            deadline.extend();
            from.closeWithPeer(false);
            forward(from, data);
        } else if (state == State.OVER || from != clientChannel) {
            data.release();
        } else {
            pendingClientData.add(data);
            if (state == State.START) {
                readClientHello();
            }
        }
    }

    private void forward(RelayChannel from, ByteBuf data) {
        clientSentData |= from == clientChannel;
        backendSentData |= from != clientChannel;
        if (!other(from).canPeerReceive()) {
            data.release();
            // The client receives no more data. The session ends when all data from the client was sent to the backend.
            if (from != clientChannel && from.isShutDown()) {
                abandon(Failure.CLIENT_GONE);
            }
            return;
        }
        if (from == clientChannel) {
            toBackend(backend.connectedChannel(), data);
        } else {
            int bytes = data.readableBytes();
            requireNonNull(backendCounters).add(BackendCounter.BYTES_FROM, bytes);
            counters.add(ListenerCounter.BYTES_OUT, bytes);
            report.countBytesOut(bytes);
            clientChannel.write(data);
        }
        if (state == State.RELAYING && !backendGone && !other(from).isWritable()) {
            from.setReading(false);
        }
    }

    private void toBackend(RelayChannel channel, ByteBuf data) {
        if (backendGone) {
            data.release();
            return;
        }
        requireNonNull(backendCounters).add(BackendCounter.BYTES_TO, data.readableBytes());
        channel.write(data);
    }

    /** Handles the end of a read loop. */
    void readComplete(RelayChannel from) {
        if (state == State.RELAYING) {
            other(from).flush();
        }
    }

    /** Handles a change of a side's writability. */
    void writabilityChanged(RelayChannel channel) {
        if (state == State.RELAYING && channel.isWritable()) {
            other(channel).setReading(true);
        }
    }

    private RelayChannel other(RelayChannel channel) {
        return channel == clientChannel ? backend.connectedChannel() : clientChannel;
    }

    // ---- end

    /** Called when the client or the backend has finished sending; {@code channel} is its channel. */
    void finished(RelayChannel channel) {
        if (state == State.RELAYING) {
            RelayChannel other = other(channel);
            if (channel.isShutDown() && other.hasFinished()) {
                other.endWhenFlushed();
            } else {
                other.shutDownWhenFlushed();
            }
        } else if (state == State.START) {
            abandon(Failure.CLIENT_GONE); // the client has finished sending before the destination is known
        }
    }

    /**
     * Called when the output to the client or to the backend has been shut down; {@code channel} is that
     * connection.
     */
    void shutDown(RelayChannel channel) {
        if (!endIfBothShutDown() && state == State.RELAYING && !channel.hasFinished()) {
            // may close as soon as its peer ends, if the other connection has sent all data
            channel.closeWithPeer(other(channel).isFullySent());
        }
    }

    private boolean endIfBothShutDown() {
        boolean isComplete = state == State.RELAYING
                && clientChannel.isShutDown()
                && (backendGone || backend.connectedChannel().isShutDown());
        if (isComplete) {
            end(/* failure= */ null);
            both(RelayChannel::close);
        }
        return isComplete;
    }

    /** Called when the connection to the client or to the backend is lost; {@code channel} is its channel. */
    void connectionLost(RelayChannel channel) {
        if (state == State.OVER) {
            return;
        }
        if (state == State.RELAYING && isEndByReset(channel)) {
            end(/* failure= */ null);
            both(each -> each.abortWhenFlushed(times.idle()));
        } else if (channel == clientChannel) {
            abandon(Failure.CLIENT_GONE);
        } else if (state == State.RELAYING && channel == backend.channel()) {
            if (channel.hasFinished()) {
                backendGone = true; // the backend has sent everything: forward it to the client, then end the session
                clientChannel.setReading(true);
                endIfBothShutDown();
            } else {
                fail(Failure.RESPONSE_CUT);
            }
        }
    }

    /**
     * Whether a reset from one side is a normal end of the session: both sides have sent data, and the other
     * side has already ended. For example, PostgreSQL closes with unread data after its client's
     * {@code close_notify}, which causes a reset. The reset is forwarded.
     */
    private boolean isEndByReset(RelayChannel lost) {
        return clientSentData
                && backendSentData
                && !lost.hasFinished()
                && other(lost).hasFinished();
    }

    /** Called when the client's connection is closed and its handler removed. */
    void channelRemoved(RelayChannel channel) {
        if (channel == clientChannel) {
            connectionLost(channel);
            worker.shedding().remove(sheddable);
            counters.increment(ListenerCounter.CONNECTIONS_CLOSED);
            listener.closed(settings, proxiedClient.client());
        }
    }

    @Override
    public Backend backend() {
        return backend.backend();
    }

    @Override
    public void terminate() {
        fail(Failure.MAINTENANCE);
    }

    private void abandon(Failure failure) {
        if (state == State.START && pendingClientData.bytes() > 0) {
            report.started();
        }
        backend.leaveQueueOnDisconnect();
        fail(failure);
    }

    private void fail(Failure failure) {
        boolean relaying = state == State.RELAYING;
        if (relaying) {
            worker.readClock();
            report.failed(backend(), failure);
        }
        end(failure);
        if (relaying && (failure == Failure.RESPONSE_CUT || failure == Failure.CLIENT_GONE)) {
            both(each -> each.abortWhenFlushed(times.idle())); // first deliver the data received from the closed peer
            return;
        }
        both(RelayChannel::abort);
    }

    private void both(Consumer<RelayChannel> action) {
        action.accept(clientChannel);
        RelayChannel backendChannel = backend.channel();
        if (backendChannel != null) {
            action.accept(backendChannel);
        }
    }

    private void end(@Nullable Failure failure) {
        state = State.OVER;
        worker.sessions().remove(this);
        worker.deadlines().remove(deadline);
        backend.leaveQueue();
        pendingClientData.release();
        report.end(pool, failure);
        if (pool != null) {
            backend.release();
        }
        admission.release();
    }

    // ---- idle timeout and memory shortage

    /** Called when no data was transferred for the idle time, or when the ClientHello did not arrive in time. */
    void timedOut() {
        if (state == State.START) {
            abandon(Failure.REQUEST_HEAD_TIMEOUT);
        } else if (clientChannel.pendingBytes() > 0) {
            fail(Failure.SLOW_READER);
        } else {
            end(Failure.SESSION_IDLE);
            both(RelayChannel::close);
        }
    }

    boolean isStarting() {
        return state == State.START;
    }

    /** Whether no backend is connected yet. */
    boolean isSearching() {
        return state == State.SEARCHING;
    }

    /** The number of bytes that wait to be sent to either peer. */
    long bufferedBytes() {
        RelayChannel backendChannel = backend.channel();
        return clientChannel.pendingBytes()
                + (backendChannel == null ? pendingClientData.bytes() : backendChannel.pendingBytes());
    }

    /** The number of bytes received from and sent to the peers since the start. Never decreases. */
    long movedBytes() {
        return clientChannel.movedBytes() + backend.movedBytes();
    }

    /** Ends the session to free its memory. */
    void shed() {
        if (state != State.OVER) {
            abandon(Failure.SHED);
        } else {
            clientChannel.abort(); // the session is over, but the client is still receiving its last data
        }
    }
}
