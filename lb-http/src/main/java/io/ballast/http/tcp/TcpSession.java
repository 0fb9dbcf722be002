package io.ballast.http.tcp;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.SentProxyHeader;
import io.ballast.core.pool.Pool;
import io.ballast.core.stats.Counters;
import io.ballast.http.config.SessionConfig;
import io.ballast.http.connect.BackendConnector;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.net.LastingSession;
import io.ballast.http.net.PeerAddress;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Admission;
import io.ballast.http.relay.Attempts;
import io.ballast.http.relay.BackendChoice;
import io.ballast.http.relay.BackendSearch;
import io.ballast.http.relay.Failure;
import io.ballast.http.route.session.SessionRoutes;
import io.ballast.http.session.SessionReport;
import io.ballast.net.budget.Shedding;
import io.ballast.net.proxyprotocol.ProxyHeaderWriter;
import io.ballast.net.timer.DeadlineWheel;
import io.ballast.net.tls.ClientHello;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection and the one to its backend. Its life:
 *
 * <pre>
 *   added → (read the ClientHello) → search → connect → relay → end
 *                                               ▲  │
 *                                               └──┘ another backend
 * </pre>
 *
 * <p>While it relays, a side is read only as long as the other takes what was read. A side that ends its sending ends that of
 * the other, once all before is out; the session ends when both have. Whatever breaks one side resets the other, so that
 * neither takes a piece for the whole.
 *
 * <p>Event-loop confined.
 */
final class TcpSession implements LastingSession {

    private enum State {
        /** It is not known yet where it goes. */
        START,
        /** No backend is connected: what the client sends waits. */
        SEARCHING,
        RELAYING,
        OVER
    }

    private final Worker worker;
    private final Listener listener;
    private final TcpSessions common;
    private final ConnectionSettings settings;
    private final SessionConfig times;
    private final SocketAddress client;
    private final SocketAddress local;
    private final @Nullable ClientHello hello;
    private final Counters.Shard<ListenerCounter> counters;
    private final Admission admission;
    private final Attempts attempts;
    private final BackendChoice choice;
    private final BackendSearch search;
    private final SessionReport report;
    private final Leg clientLeg;
    private final EarlyData early;
    private final IdleDeadline deadline = new IdleDeadline();
    private final Holdings holdings = new Holdings();

    private State state = State.START;
    private @Nullable Leg backendLeg;
    private @Nullable Pool pool;
    private Counters.@Nullable Shard<BackendCounter> backendCounters;
    private boolean backendGone;
    private long received;
    private boolean clientSpoke;
    private boolean backendSpoke;

    /**
     * @param settings of the listener, which the session keeps
     * @param hello what is known of where the client wants to go; null if it has to be read
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
        this.common = common;
        this.settings = settings;
        this.times = settings.config().session().orElseThrow();
        this.client = client;
        this.local = local;
        this.hello = hello;
        this.counters = listener.counters().shard(worker.index());
        this.admission = new Admission(worker, listener.inFlight(), Duration.ZERO, () -> {});
        this.attempts = new Attempts(worker.index());
        this.choice = new BackendChoice(worker, attempts, PeerAddress.affinity(client, worker.random()));
        choice.address(PeerAddress.octets(client));
        this.search = new Search();
        this.report = new SessionReport(worker, listener, client);
        if (hello != null) {
            report.secured(channel);
        } else {
            report.passesThrough();
        }
        this.clientLeg = new Leg(this, worker, worker.readsOf(channel));
        this.early = new EarlyData(worker.allocator());
    }

    /** What serves a client's connection; to be the last handler in its pipeline, which begins the session. */
    ChannelHandler clientLeg() {
        return clientLeg;
    }

    // ---- begin

    void added(Leg leg, ChannelHandlerContext ctx) {
        if (leg != clientLeg) {
            worker.transport().prepare(ctx.pipeline());
            return;
        }
        counters.increment(ListenerCounter.CONNECTIONS_OPENED);
        worker.shedding().add(holdings);
        if (hello == null && listener.settings().sessions().needsClientHello()) {
            worker.setDeadline(deadline, times.start());
        } else {
            clientLeg.reading(false);
            route(hello == null ? ClientHello.NONE : hello);
        }
    }

    private void readClientHello() {
        try {
            ClientHello read = early.clientHello();
            if (read != null) {
                report.asked(read);
                worker.deadlines().clear(deadline);
                clientLeg.reading(false);
                route(read);
            }
        } catch (IllegalArgumentException e) {
            report.begun();
            fail(Failure.BAD_REQUEST);
        }
    }

    private void route(ClientHello known) {
        state = State.SEARCHING;
        report.begun();
        SessionRoutes routes = listener.settings().sessions();
        Pool target = routes.find(known, PeerAddress.octets(client), worker.random());
        if (target == null) {
            fail(Failure.NO_ROUTE);
            return;
        }
        pool = target;
        choice.begin(target);
        attempts.begin(target, /* isIdempotent= */ false, /* isRepeatable= */ false, worker.now());
        if (admission.enter()) {
            search.begin(target, routes.generation());
        } else {
            fail(Failure.LISTENER_FULL);
        }
    }

    // ---- search and connect

    private final class Search extends BackendSearch {

        Search() {
            super(worker, choice);
        }

        @Override
        protected void found(Backend backend) {
            connect(backend);
        }

        @Override
        protected void notFound(Failure reason) {
            fail(reason);
        }
    }

    private BackendConnections settings() {
        return choice.pool().config().connections();
    }

    private void connect(Backend target) {
        choice.settle(target);
        report.connecting(target);
        Leg leg = new Leg(this, worker, worker.newReads());
        backendLeg = leg;
        BackendConnector.connect(
                worker,
                common.backends().ofSessions(target),
                target,
                settings(),
                leg,
                leg.reads(),
                settings().proxyHeader() == SentProxyHeader.NONE ? null : this::proxyHeader,
                (failure, reason) -> connectDone(leg, failure, reason));
    }

    private ByteBuf proxyHeader() {
        return ProxyHeaderWriter.write(settings().proxyHeader(), client, local, worker.allocator());
    }

    private void connectDone(Leg leg, @Nullable Failure failure, String reason) {
        if (backendLeg != leg || state != State.SEARCHING) {
            leg.close(); // given up meanwhile
        } else if (failure != null) {
            connectFailed(failure, reason);
        } else {
            relay(leg);
        }
    }

    private void connectFailed(Failure failure, String reason) {
        Backend failed = choice.backend();
        backendLeg = null;
        report.reason(reason);
        if (failure.source() == Failure.Source.BACKEND) {
            listener.trouble().connectFailed(failed, reason);
        }
        report.failed(failed, failure);
        Backend another = attempts.mayTryAnother(failure, worker.now()) ? choice.reserveAnother() : null;
        if (another == null) {
            fail(failure);
            return;
        }
        report.left(failed);
        choice.release(failed);
        connect(another);
    }

    // ---- relay

    private void relay(Leg leg) {
        state = State.RELAYING;
        worker.sessions().add(this);
        report.connected(choice.backend());
        report.responded(choice.backend());
        backendCounters = choice.backend().stats().counters(worker.index());
        deadline.extend();
        leg.connected();
        ByteBuf waiting = early.take();
        if (waiting.isReadable()) {
            toBackend(leg, waiting);
        } else {
            waiting.release();
        }
        leg.flush();
        if (clientLeg.hasFinished()) {
            leg.shutDownWhenFlushed();
        }
        clientLeg.reading(leg.isWritable());
    }

    /** Something came from a side's peer; consumes {@code data}. */
    void received(Leg from, ByteBuf data) {
        int bytes = data.readableBytes();
        received += bytes;
        if (from == clientLeg) {
            counters.add(ListenerCounter.BYTES_IN, bytes);
            report.received(data);
        }
        if (state == State.RELAYING) {
            deadline.extend();
            from.closeWithPeer(false);
            pass(from, data);
        } else if (state == State.OVER || from != clientLeg) {
            data.release();
        } else {
            early.add(data);
            if (state == State.START) {
                readClientHello();
            }
        }
    }

    private void pass(Leg from, ByteBuf data) {
        clientSpoke |= from == clientLeg;
        backendSpoke |= from != clientLeg;
        if (!other(from).takesMore()) {
            data.release();
            // Who has said goodbye hears nothing more. What it said before gets through first.
            if (from != clientLeg && from.isShutDown()) {
                giveUp(Failure.CLIENT_GONE);
            }
            return;
        }
        if (from == clientLeg) {
            toBackend(requireNonNull(backendLeg), data);
        } else {
            int bytes = data.readableBytes();
            requireNonNull(backendCounters).add(BackendCounter.BYTES_FROM, bytes);
            counters.add(ListenerCounter.BYTES_OUT, bytes);
            report.answered(bytes);
            clientLeg.write(data);
        }
        if (state == State.RELAYING && !backendGone && !other(from).isWritable()) {
            from.reading(false);
        }
    }

    private void toBackend(Leg leg, ByteBuf data) {
        if (backendGone) {
            data.release();
            return;
        }
        requireNonNull(backendCounters).add(BackendCounter.BYTES_TO, data.readableBytes());
        leg.write(data);
    }

    /** A round of reading is over. */
    void readComplete(Leg from) {
        if (state == State.RELAYING) {
            other(from).flush();
        }
    }

    /** The one side takes more, or takes no more for now. */
    void writabilityChanged(Leg leg) {
        if (state == State.RELAYING && leg.isWritable()) {
            other(leg).reading(true);
        }
    }

    private Leg other(Leg leg) {
        return leg == clientLeg ? requireNonNull(backendLeg) : clientLeg;
    }

    // ---- end

    /** A side's peer sends no more. */
    void finished(Leg leg) {
        if (state == State.RELAYING) {
            Leg other = other(leg);
            if (leg.isShutDown() && other.hasFinished()) {
                other.endWhenFlushed();
            } else {
                other.shutDownWhenFlushed();
            }
        } else if (state == State.START) {
            giveUp(Failure.CLIENT_GONE); // without saying where to
        }
    }

    /** A side has been told of the end of the other. */
    void shutDown(Leg leg) {
        if (!endIfAllIsSaid() && state == State.RELAYING && !leg.hasFinished()) {
            leg.closeWithPeer(other(leg).isAllOut()); // then nothing is left to do but to end the other
        }
    }

    private boolean endIfAllIsSaid() {
        boolean allIsSaid = state == State.RELAYING
                && clientLeg.isShutDown()
                && (backendGone || requireNonNull(backendLeg).isShutDown());
        if (allIsSaid) {
            over(/* failure= */ null);
            closeBoth();
        }
        return allIsSaid;
    }

    /** A side's connection is gone. */
    void lost(Leg leg) {
        if (state == State.OVER) {
            return;
        }
        if (state == State.RELAYING && isEndByReset(leg)) {
            over(/* failure= */ null);
            cutBothWhenFlushed();
        } else if (leg == clientLeg) {
            giveUp(Failure.CLIENT_GONE);
        } else if (state == State.RELAYING && leg == backendLeg) {
            if (leg.hasFinished()) {
                backendGone = true; // it has said all: the client is to get it, and is told of the end
                clientLeg.reading(true);
                endIfAllIsSaid();
            } else {
                fail(Failure.RESPONSE_CUT);
            }
        }
    }

    /**
     * Whether a side ends a session by a reset that is no failure: both sides have sent data and the other one has said its
     * end. PostgreSQL, for one, closes with unread data when its client says goodbye by TLS, and the system makes that a
     * reset. It is passed on as one.
     */
    private boolean isEndByReset(Leg lost) {
        return clientSpoke && backendSpoke && !lost.hasFinished() && other(lost).hasFinished();
    }

    /** The client's connection is closed and forgotten. */
    void removed(Leg leg) {
        if (leg == clientLeg) {
            lost(leg);
            worker.shedding().remove(holdings);
            counters.increment(ListenerCounter.CONNECTIONS_CLOSED);
            listener.closed(settings, client);
        }
    }

    @Override
    public Backend backend() {
        return choice.backend();
    }

    @Override
    public void cut() {
        fail(Failure.MAINTENANCE);
    }

    private void giveUp(Failure failure) {
        if (state == State.START && early.bytes() > 0) {
            report.begun();
        }
        search.leaveWithClient();
        fail(failure);
    }

    private void fail(Failure failure) {
        boolean relaying = state == State.RELAYING;
        if (relaying) {
            worker.readClock();
            report.failed(choice.backend(), failure);
        }
        over(failure);
        if (relaying && (failure == Failure.RESPONSE_CUT || failure == Failure.CLIENT_GONE)) {
            cutBothWhenFlushed(); // what the one that is gone said last reaches the other
            return;
        }
        clientLeg.cut();
        if (backendLeg != null) {
            backendLeg.cut();
        }
    }

    private void cutBothWhenFlushed() {
        clientLeg.cutWhenFlushed(times.idle());
        if (backendLeg != null) {
            backendLeg.cutWhenFlushed(times.idle());
        }
    }

    private void closeBoth() {
        clientLeg.close();
        if (backendLeg != null) {
            backendLeg.close();
        }
    }

    private void over(@Nullable Failure failure) {
        state = State.OVER;
        worker.sessions().remove(this);
        worker.deadlines().remove(deadline);
        search.leave();
        early.release();
        report.over(pool, failure);
        if (pool != null) {
            choice.end();
        }
        admission.leave();
    }

    // ---- when nothing passes

    private final class IdleDeadline extends DeadlineWheel.Deadline {

        private long movedBefore;

        void extend() {
            worker.setDeadline(this, times.idle());
        }

        @Override
        protected void expired(long nowNanos) {
            if (state == State.START) {
                giveUp(Failure.REQUEST_HEAD_TIMEOUT);
                return;
            }
            long moved = holdings.movedBytes();
            if (moved != movedBefore) {
                movedBefore = moved;
                extend(); // nothing was read, but what was read before goes out
            } else if (clientLeg.pendingBytes() > 0) {
                fail(Failure.SLOW_READER);
            } else {
                over(Failure.SESSION_IDLE);
                closeBoth();
            }
        }
    }

    // ---- when memory is short

    private final class Holdings extends Shedding.Holder {

        @Override
        protected long heldBytes() {
            return clientLeg.pendingBytes() + (backendLeg == null ? early.bytes() : backendLeg.pendingBytes());
        }

        @Override
        protected long movedBytes() {
            return received + clientLeg.takenBytes() + (backendLeg == null ? 0 : backendLeg.takenBytes());
        }

        @Override
        protected void shed() {
            if (state != State.OVER) {
                giveUp(Failure.SHED);
            } else {
                clientLeg.cut(); // it waits for the client to take the last of it
            }
        }
    }
}
