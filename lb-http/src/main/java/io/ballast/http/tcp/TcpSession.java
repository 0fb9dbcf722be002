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
    private final RelayChannel clientLeg;
    private final PendingClientData pendingClientData;
    private final IdleTimeout deadline;
    private final SessionHoldings holdings = new SessionHoldings(this);

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
        this.clientLeg = new RelayChannel(this, worker, worker.readAllocatorOf(channel));
        this.pendingClientData = new PendingClientData(worker.allocator());
    }

    /** The handler of a client's connection; adding it at the end of the pipeline starts the session. */
    ChannelHandler clientLeg() {
        return clientLeg;
    }

    // ---- begin

    void added(RelayChannel leg, ChannelHandlerContext ctx) {
        if (leg != clientLeg) {
            worker.transport().prepare(ctx.pipeline());
            return;
        }
        counters.increment(ListenerCounter.CONNECTIONS_OPENED);
        worker.shedding().add(holdings);
        if (hello == null && listener.settings().sessions().needsClientHello()) {
            worker.setDeadline(deadline, times.start());
        } else {
            clientLeg.setReading(false);
            route(hello == null ? ClientHello.NONE : hello);
        }
    }

    private void readClientHello() {
        try {
            ClientHello read = pendingClientData.clientHello();
            if (read != null) {
                report.clientHelloRead(read);
                worker.deadlines().clear(deadline);
                clientLeg.setReading(false);
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
    void relay(RelayChannel leg) {
        state = State.RELAYING;
        worker.sessions().add(this);
        report.connected(backend());
        report.responded(backend());
        backendCounters = backend().stats().counters(worker.index());
        deadline.extend();
        leg.connected();
        ByteBuf waiting = pendingClientData.removeAll();
        if (waiting.isReadable()) {
            toBackend(leg, waiting);
        } else {
            waiting.release();
        }
        leg.flush();
        if (clientLeg.hasFinished()) {
            leg.shutDownWhenFlushed();
        }
        clientLeg.setReading(leg.isWritable());
    }

    /** Handles data received from the peer of one side; consumes {@code data}. */
    void received(RelayChannel from, ByteBuf data) {
        if (from == clientLeg) {
            counters.add(ListenerCounter.BYTES_IN, data.readableBytes());
            report.received(data);
        }
        if (state == State.RELAYING) {
            deadline.extend();
            from.closeWithPeer(false);
            forward(from, data);
        } else if (state == State.OVER || from != clientLeg) {
            data.release();
        } else {
            pendingClientData.add(data);
            if (state == State.START) {
                readClientHello();
            }
        }
    }

    private void forward(RelayChannel from, ByteBuf data) {
        clientSentData |= from == clientLeg;
        backendSentData |= from != clientLeg;
        if (!other(from).canPeerReceive()) {
            data.release();
            // A peer cannot receive after its close_notify, but data it sent before is delivered first.
            if (from != clientLeg && from.isShutDown()) {
                abandon(Failure.CLIENT_GONE);
            }
            return;
        }
        if (from == clientLeg) {
            toBackend(backend.connectedLeg(), data);
        } else {
            int bytes = data.readableBytes();
            requireNonNull(backendCounters).add(BackendCounter.BYTES_FROM, bytes);
            counters.add(ListenerCounter.BYTES_OUT, bytes);
            report.countBytesOut(bytes);
            clientLeg.write(data);
        }
        if (state == State.RELAYING && !backendGone && !other(from).isWritable()) {
            from.setReading(false);
        }
    }

    private void toBackend(RelayChannel leg, ByteBuf data) {
        if (backendGone) {
            data.release();
            return;
        }
        requireNonNull(backendCounters).add(BackendCounter.BYTES_TO, data.readableBytes());
        leg.write(data);
    }

    /** Handles the end of a read loop. */
    void readComplete(RelayChannel from) {
        if (state == State.RELAYING) {
            other(from).flush();
        }
    }

    /** Handles a change of a side's writability. */
    void writabilityChanged(RelayChannel leg) {
        if (state == State.RELAYING && leg.isWritable()) {
            other(leg).setReading(true);
        }
    }

    private RelayChannel other(RelayChannel leg) {
        return leg == clientLeg ? backend.connectedLeg() : clientLeg;
    }

    // ---- end

    /** Called when the client or the backend has finished sending; {@code leg} is its channel. */
    void finished(RelayChannel leg) {
        if (state == State.RELAYING) {
            RelayChannel other = other(leg);
            if (leg.isShutDown() && other.hasFinished()) {
                other.endWhenFlushed();
            } else {
                other.shutDownWhenFlushed();
            }
        } else if (state == State.START) {
            abandon(Failure.CLIENT_GONE); // the client has finished sending before the destination is known
        }
    }

    /**
     * Called when the output to the client or to the backend has been shut down; {@code leg} is that
     * connection.
     */
    void shutDown(RelayChannel leg) {
        if (!endIfBothShutDown() && state == State.RELAYING && !leg.hasFinished()) {
            leg.closeWithPeer(other(leg).isFullySent()); // if all data is sent, close together with the peer
        }
    }

    private boolean endIfBothShutDown() {
        boolean allIsSaid = state == State.RELAYING
                && clientLeg.isShutDown()
                && (backendGone || backend.connectedLeg().isShutDown());
        if (allIsSaid) {
            end(/* failure= */ null);
            both(RelayChannel::close);
        }
        return allIsSaid;
    }

    /** Called when the connection to the client or to the backend is lost; {@code leg} is its channel. */
    void connectionLost(RelayChannel leg) {
        if (state == State.OVER) {
            return;
        }
        if (state == State.RELAYING && isEndByReset(leg)) {
            end(/* failure= */ null);
            both(each -> each.abortWhenFlushed(times.idle()));
        } else if (leg == clientLeg) {
            abandon(Failure.CLIENT_GONE);
        } else if (state == State.RELAYING && leg == backend.leg()) {
            if (leg.hasFinished()) {
                backendGone = true; // the backend has sent everything: forward it to the client, then end the session
                clientLeg.setReading(true);
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
    void legRemoved(RelayChannel leg) {
        if (leg == clientLeg) {
            connectionLost(leg);
            worker.shedding().remove(holdings);
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
        action.accept(clientLeg);
        RelayChannel backendLeg = backend.leg();
        if (backendLeg != null) {
            action.accept(backendLeg);
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
        } else if (clientLeg.pendingBytes() > 0) {
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
        RelayChannel backendLeg = backend.leg();
        return clientLeg.pendingBytes() + (backendLeg == null ? pendingClientData.bytes() : backendLeg.pendingBytes());
    }

    /** The number of bytes received from and sent to the peers since the start. Never decreases. */
    long movedBytes() {
        return clientLeg.movedBytes() + backend.movedBytes();
    }

    /** Ends the session to free its memory. */
    void shed() {
        if (state != State.OVER) {
            abandon(Failure.SHED);
        } else {
            clientLeg.abort(); // the session is over, but the client is still receiving its last data
        }
    }
}
