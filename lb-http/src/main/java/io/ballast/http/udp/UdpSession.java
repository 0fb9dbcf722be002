package io.ballast.http.udp;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.balance.Affinity;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolSnapshot;
import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.exchange.ListenerSettings;
import io.ballast.http.net.ConnectErrors;
import io.ballast.http.net.LongLivedSession;
import io.ballast.http.net.UnexpectedErrors;
import io.ballast.http.relay.Admission;
import io.ballast.http.relay.AttemptHistory;
import io.ballast.http.relay.BackendChoice;
import io.ballast.http.relay.BackendSearch;
import io.ballast.http.relay.ClientKeys;
import io.ballast.http.relay.Failure;
import io.ballast.http.session.SessionReport;
import io.ballast.net.listen.FileDescriptorReserve;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DatagramPacket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of datagrams between one client (an address and port) and its backend, over a separate socket
 * to the backend. It ends when no datagram has arrived from either side for a while, or when the backend's
 * system refuses a datagram. It also ends at the client's next datagram if the backend is down, removed, or
 * has changed its address.
 *
 * <p>Event-loop confined.
 */
final class UdpSession extends ChannelInboundHandlerAdapter implements LongLivedSession {

    /** The maximum number of datagrams that are buffered until the socket to the backend is open. */
    private static final int MAX_WAITING = 16;

    /**
     * How long an answered session continues after its backend has refused a datagram. Clients often send their last
     * datagrams to servers that have already closed the socket.
     */
    private static final Duration IDLE_AFTER_REFUSAL = Duration.ofSeconds(1);

    private final UdpSessions sessions;
    private final UdpListener owner;
    private final ConnectionSettings settings;
    private final Counters.Shard<ListenerCounter> counters;
    private final InetSocketAddress client;
    private final Pool pool;
    private final SessionReport report;
    private final Admission admission;
    private final BackendChoice choice;
    private final Duration idle;
    private final IdleDeadline deadline = new IdleDeadline();
    private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>(2);

    private Counters.@Nullable Shard<BackendCounter> backendCounters;
    private @Nullable SocketAddress connectedAddress;
    private @Nullable Channel socket;
    private boolean flushPending;
    private boolean answered;
    /** Whether the backend has refused a datagram since its last answer. */
    private boolean refused;

    private boolean ended;

    private UdpSession(
            UdpSessions sessions,
            UdpListener owner,
            ListenerSettings settings,
            InetSocketAddress client,
            Pool pool,
            SessionReport report) {
        this.sessions = sessions;
        this.owner = owner;
        this.settings = settings.connections();
        this.counters = owner.listener().counters().shard(sessions.worker.index());
        this.client = client;
        this.pool = pool;
        this.report = report;
        this.admission =
                new Admission(sessions.worker, owner.listener().inFlight(), /* max= */ Duration.ZERO, () -> {});
        AttemptHistory attempts = new AttemptHistory(sessions.worker.index());
        byte[] address = client.getAddress().getAddress();
        ClientKeys keys = new ClientKeys(Affinity.DEFAULT.of(address));
        keys.setAddress(address);
        this.choice = new BackendChoice(sessions.worker, attempts, keys);
        this.idle = settings.connections().config().session().orElseThrow().idle();
    }

    /**
     * Starts a session. If there is no backend for it, returns null and counts the session as failed.
     *
     * @param settings the settings of the listener under which the client was admitted and the pool was selected
     */
    static @Nullable UdpSession begin(
            UdpSessions sessions,
            UdpListener owner,
            ListenerSettings settings,
            InetSocketAddress client,
            Pool pool,
            SessionReport report) {
        UdpSession session = new UdpSession(sessions, owner, settings, client, pool, report);
        Failure failure = session.pick(settings.sessions().generation());
        if (failure != null) {
            session.admission.release();
            report.end(pool, failure);
            return null;
        }
        session.connect();
        return session;
    }

    // ---- pick and connect

    private @Nullable Failure pick(int generation) {
        if (!admission.tryAcquire()) {
            return Failure.LISTENER_FULL;
        }
        choice.begin(pool);
        PoolSnapshot snapshot = pool.snapshot(generation);
        Backend picked = choice.reserve(snapshot);
        if (picked == null) {
            return snapshot.usable().isEmpty() ? BackendSearch.noBackendFailure(pool) : Failure.NONE_LEFT;
        }
        choice.setBackend(picked);
        backendCounters = picked.stats().counters(sessions.worker.index());
        return null;
    }

    private void connect() {
        report.connecting(choice.backend());
        sessions.worker.sessions().add(this);
        sessions.worker.setDeadline(deadline, idle);
        SocketAddress address = choice.backend().socketAddress();
        connectedAddress = address;
        ChannelFuture connecting = DatagramSocketOptions.forBackend(new Bootstrap(), sessions.worker)
                .group(sessions.worker.eventLoop())
                .channel(sessions.worker.transport().datagramChannel())
                .option(ChannelOption.ALLOCATOR, sessions.worker.allocator())
                .handler(this)
                .connect(address);
        connecting.addListener(done -> {
            if (sessions.worker.eventLoop().inEventLoop()) {
                connected(connecting);
            } else {
                sessions.worker.eventLoop().execute(() -> connected(connecting)); // Netty could not create a channel
            }
        });
    }

    private void connected(ChannelFuture done) {
        Throwable cause = done.cause();
        if (ended) {
            done.channel().close();
        } else if (cause == null) {
            report.connected(choice.backend());
            socket = done.channel();
            owner.sockets().add(done.channel());
            waiting.forEach(this::write);
            waiting.clear();
            flush();
        } else if (FileDescriptorReserve.isDescriptorExhaustion(cause)) {
            FileDescriptorReserve.ofProcess().releaseReserve("UDP session with " + choice.backend());
            end(Failure.NO_DESCRIPTORS);
        } else {
            unreachable(Failure.CONNECT_FAILED, ConnectErrors.text(cause));
        }
    }

    // ---- forwarding

    boolean hasEnded() {
        return ended;
    }

    /** The counters of the client's listener. */
    Counters.Shard<ListenerCounter> counters() {
        return counters;
    }

    /**
     * Whether the session must end so that the next datagram selects a backend again. The backend is down, in
     * maintenance or removed from its pool, or its name resolves to another address. A datagram session has no
     * request boundary at which it could change its backend.
     */
    boolean isStale() {
        Backend backend = choice.backend();
        HealthStatus health = backend.health();
        return switch (health.state()) {
            case MAINTENANCE -> true;
            case DOWN -> !pool.snapshot().usesUnhealthy(backend) || hasAddressChanged(backend);
            case DRAINING -> health.origin() == HealthStatus.Origin.FILE || hasAddressChanged(backend);
            default -> hasAddressChanged(backend);
        };
    }

    private boolean hasAddressChanged(Backend backend) {
        return !backend.socketAddress().equals(connectedAddress);
    }

    /** Forwards a datagram to the backend; consumes {@code data}. */
    void send(ByteBuf data) {
        report.received(data);
        if (!refused) {
            sessions.worker.setDeadline(deadline, idle);
        }
        if (socket == null && waiting.size() < MAX_WAITING) {
            waiting.add(data);
        } else if (socket == null || !socket.isWritable()) {
            UdpSessions.dropDatagram(data, counters);
        } else {
            if (!flushPending) {
                sessions.flushLater(this);
            }
            write(data);
        }
    }

    private void write(ByteBuf data) {
        if (socket == null || backendCounters == null) {
            data.release();
            return;
        }
        flushPending = true;
        backendCounters.add(BackendCounter.BYTES_TO, data.readableBytes());
        socket.write(data, socket.voidPromise());
    }

    void flush() {
        flushPending = false;
        if (socket != null) {
            socket.flush();
        }
    }

    /** Handles an answer from the backend. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf data = message instanceof DatagramPacket datagram ? datagram.content() : (ByteBuf) message;
        if (ended || backendCounters == null) {
            data.release();
            return;
        }
        sessions.worker.readClock();
        sessions.worker.setDeadline(deadline, idle);
        refused = false;
        if (!answered) {
            answered = true;
            report.responded(choice.backend());
        }
        backendCounters.add(BackendCounter.BYTES_FROM, data.readableBytes());
        report.countBytesOut(data.readableBytes());
        sessions.answer(data, client, counters);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        sessions.flush();
    }

    // ---- end

    /** Handles errors, such as an ICMP port unreachable, which Netty reports with the next read. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        UnexpectedErrors.report(cause);
        if (cause instanceof IOException && answered && ConnectErrors.isPortUnreachable(cause)) {
            refusedAfterAnswer();
        } else if (cause instanceof IOException) {
            sessions.worker.readClock();
            unreachable(
                    ConnectErrors.isPortUnreachable(cause) ? Failure.CONNECT_REFUSED : Failure.CONNECT_FAILED,
                    ConnectErrors.text(cause));
        }
    }

    /**
     * Handles an ICMP "port unreachable" after the backend has answered; it does not count as a connect failure.
     * Shortens the idle timeout, so that the session ends soon unless the backend answers again.
     */
    private void refusedAfterAnswer() {
        if (!refused && !ended) {
            refused = true;
            sessions.worker.setDeadline(deadline, idle.compareTo(IDLE_AFTER_REFUSAL) < 0 ? idle : IDLE_AFTER_REFUSAL);
        }
    }

    private void unreachable(Failure failure, String reason) {
        if (!ended) {
            owner.listener().failureListener().connectFailed(choice.backend(), reason);
            report.reason(reason);
            end(failure);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end(/* failure= */ null);
        sessions.worker.descriptors().freed();
    }

    @Override
    public Backend backend() {
        return choice.backend();
    }

    @Override
    public void terminate() {
        end(Failure.MAINTENANCE);
    }

    void end(@Nullable Failure failure) {
        if (ended) {
            return;
        }
        ended = true;
        sessions.worker.sessions().remove(this);
        sessions.worker.deadlines().remove(deadline);
        waiting.forEach(data -> UdpSessions.dropDatagram(data, counters));
        waiting.clear();
        if (failure != null) {
            report.failed(choice.backend(), failure);
        }
        report.end(pool, failure);
        choice.end();
        admission.release();
        sessions.removeSession(client, this);
        counters.increment(ListenerCounter.CONNECTIONS_CLOSED);
        // The listener is notified before the socket is closed, so that a drain does not wait for this session.
        owner.listener().closed(settings, client);
        if (socket != null) {
            socket.close();
        }
    }

    private final class IdleDeadline extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            end(/* failure= */ null);
        }
    }
}
