package io.ballast.http.exchange;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.ConnectionReuse;
import io.ballast.core.pool.Pool;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.UpgradeProtocol;
import io.ballast.http.net.LongLivedSession;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Admission;
import io.ballast.http.relay.AttemptHistory;
import io.ballast.http.relay.BackendChoice;
import io.ballast.http.relay.BackendSearch;
import io.ballast.http.relay.Failure;
import io.netty.buffer.ByteBuf;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response. The methods of this file are in the order of the phases:
 *
 * <pre>
 *   begin → pick (→ wait) → connect → send → receive → finish
 *            ▲                          │        │ (→ tunnel)
 *            └────────── retry ◄────────┴────────┴──► fail
 * </pre>
 *
 * <p>An exchange moves to another connection or backend only in {@link #backendFailed}. It ends only in
 * {@link #finish}, {@link #tunnelEnded} and {@link #fail}. A client connection uses one object for all its
 * exchanges in sequence, so an exchange costs no allocation. Bodies pass through its {@link #bodies}, and
 * tunnel data through a {@link Tunnel}.
 *
 * <p>Event-loop confined.
 */
public final class Exchange implements LongLivedSession {

    private enum Phase {
        IDLE,
        SEARCHING,
        CONNECTING,
        SENDING,
        RECEIVING,
        TUNNEL
    }

    private final Worker worker;
    private final ConnectionSource connections;
    private final Listener listener;
    private final ClientDeadlines deadlines;
    private final ClientSide client;
    private final Admission admission;
    private final AttemptHistory attempts;
    private final BackendChoice choice;
    private final BackendSearch search;
    private final ExchangeReport report;
    private final OutlierDetection outliers;
    private final BodyRelay bodies;

    private Phase phase = Phase.IDLE;
    /** The next backend to try; set while the current attempt is cleaned up. */
    private @Nullable Backend nextBackend;

    private @Nullable SocketAddress clientAddress;
    private @Nullable SocketAddress localAddress;
    /** Counts the attempts of all requests that use this object; see {@link AttemptTicket}. */
    private long attempt;

    private boolean headRequest;
    private boolean pipelinable;
    /** The protocol that the request asks to switch to; null for none. */
    private @Nullable UpgradeProtocol upgrade;

    private @Nullable Tunnel tunnel;

    /**
     * Creates the exchange object of a client connection.
     *
     * @param deadlines the time limits of an exchange and its tunnel
     * @param affinity the key of this client for the hash strategies
     */
    public Exchange(
            Worker worker,
            ConnectionSource connections,
            Listener listener,
            ClientDeadlines deadlines,
            ClientSide client,
            long affinity) {
        this.worker = worker;
        this.connections = connections;
        this.listener = listener;
        this.deadlines = deadlines;
        this.client = client;
        this.admission =
                new Admission(worker, listener.inFlight(), deadlines.exchange(), () -> fail(Failure.EXCHANGE_TIMEOUT));
        this.attempts = new AttemptHistory(worker.index());
        this.choice = new BackendChoice(worker, attempts, affinity);
        this.search = new Search();
        this.report = new ExchangeReport(worker);
        this.outliers = new OutlierDetection(worker, listener.failureListener());
        this.bodies = new BodyRelay(client);
    }

    /** Sets the client key for hash strategies, for the next and later exchanges. */
    public void setClientKey(long key) {
        choice.affinity(key);
    }

    /** Sets the client address for the next and later exchanges; see {@link BackendChoice#address}. */
    public void setClientAddress(byte[] bytes) {
        choice.address(bytes);
    }

    /** Sets a hash key that replaces the client's key for the next exchange only; 0 keeps the client's key. */
    public void setHashKey(long hash) {
        choice.key(hash);
    }

    /** Sets the two halves of the affinity token of the next exchange only. */
    public void setAffinityToken(long high, long low) {
        choice.token(high, low);
    }

    /** Sets the two addresses of the client connection, as sent to backends in PROXY headers. */
    public void setAddresses(SocketAddress client, SocketAddress local) {
        clientAddress = client;
        localAddress = local;
    }

    /** The client's address; null if not set. */
    public @Nullable SocketAddress clientAddress() {
        return clientAddress;
    }

    /** Our address on the client's connection; null if not set. */
    public @Nullable SocketAddress localAddress() {
        return localAddress;
    }

    public boolean isRunning() {
        return phase != Phase.IDLE;
    }

    /** Whether this is a HEAD request, whose response has no body regardless of the response head. */
    public boolean isHeadRequest() {
        return headRequest;
    }

    /**
     * Whether the request is safe (RFC 9110 section 9.2.1) and has no body, so that it may be pipelined after
     * another request.
     */
    public boolean isPipelinable() {
        return pipelinable;
    }

    /** The protocol that the request asks the backend to switch to; null for none. */
    public @Nullable UpgradeProtocol upgrade() {
        return upgrade;
    }

    /** Whether the request asks the backend for a WebSocket. */
    public boolean isWebSocketRequest() {
        return upgrade != null && upgrade.isWebSocket();
    }

    /** The backend that serves this exchange. */
    @Override
    public Backend backend() {
        return choice.backend();
    }

    /** Returns the object that passes the bodies of the request and response while the exchange runs. */
    public BodyRelay bodies() {
        return bodies;
    }

    /** The start times of the phases; valid until the next exchange begins. */
    public ExchangeTimes times() {
        return report.times();
    }

    /** Number of bytes of the request's body to buffer for a retry. */
    public int bodyBufferBytes() {
        return attempts.bodyBufferBytes();
    }

    /** The time limit for the backend to begin its response. */
    public Duration responseTimeout() {
        return attempts.responseTimeout();
    }

    // ---- begin

    /**
     * Begins an exchange.
     *
     * @param generation the generation of the topology whose routes selected the pool
     * @param method the request's method, which determines whether a retry is allowed
     * @param asksFor the protocol that the request asks to switch to; null for none
     */
    public void begin(
            Pool target,
            int generation,
            String method,
            boolean isIdempotent,
            boolean isHead,
            boolean isPipelinable,
            @Nullable UpgradeProtocol asksFor) {
        headRequest = isHead;
        pipelinable = isPipelinable && asksFor == null;
        upgrade = asksFor;
        report.started();
        choice.begin(target);
        boolean isRepeatable = target.config().retry().methods().covers(method, isIdempotent);
        attempts.begin(target, isIdempotent, isRepeatable, worker.now());
        if (admission.tryAcquire()) {
            phase = Phase.SEARCHING;
            search.begin(target, generation);
        } else {
            fail(Failure.LISTENER_FULL);
        }
    }

    // ---- pick, and wait if all backends are full

    private final class Search extends BackendSearch {

        Search() {
            super(worker, choice);
        }

        @Override
        protected void found(Backend backend) {
            connect(backend, /* fresh= */ false);
        }

        @Override
        protected void notFound(Failure reason) {
            fail(reason);
        }
    }

    // ---- connect

    private void connect(Backend target, boolean fresh) {
        phase = Phase.CONNECTING;
        attempt++;
        choice.setBackend(target);
        report.connecting(target);
        outliers.started(target);
        BackendConnections settings = choice.pool().config().connections();
        connected(connections.open(target, settings, fresh || needsFresh(settings), this));
    }

    /**
     * Whether the request needs a new connection: it would be lost if a reused connection broke, because neither
     * we nor the client could repeat it.
     */
    private boolean needsFresh(BackendConnections settings) {
        return settings.reuse() == ConnectionReuse.SAFE
                && client.isFirstRequest()
                && !attempts.canBufferBody(client.announcedBodyBytes());
    }

    /** Creates a ticket for the current attempt, for code that connects the exchange later. Allocates. */
    public AttemptTicket ticket() {
        return new AttemptTicket(this, attempt);
    }

    /**
     * Returns the number of the current attempt. A connection saves this number before it detaches from the
     * exchange, and later ends or fails the attempt by number. Meanwhile, the exchange may have ended and this
     * object may serve another exchange.
     */
    public long attempt() {
        return attempt;
    }

    /** Whether the attempt with this number is the current one and has its connection. */
    private boolean isConnected(long numbered) {
        return attempt == numbered && (phase == Phase.SENDING || phase == Phase.RECEIVING || phase == Phase.TUNNEL);
    }

    /** Whether the attempt with this number is the current one and is waiting for its connection. */
    boolean isConnecting(long numbered) {
        return attempt == numbered && phase == Phase.CONNECTING;
    }

    /** Assigns a connection to the current attempt; null if the attempt continues to wait. */
    void connected(@Nullable BackendSide connection) {
        if (connection != null) {
            bodies.connect(connection);
            send(connection);
        }
    }

    /** Reports that the connection of the current attempt could not be made. */
    void connectFailed(Failure failure, String reason) {
        if (failure.source() == Failure.Source.BACKEND) {
            listener.failureListener().connectFailed(choice.backend(), reason);
        }
        backendFailed(failure, reason);
    }

    // ---- send

    private void send(BackendSide connection) {
        phase = Phase.SENDING;
        attempts.countSend();
        report.sent(choice.backend());
        bodies.sending(true);
        client.sendRequest(connection);
        bodies.sending(false);
    }

    // ---- receive

    /** Handles a 1xx response; consumes {@code received}. */
    public void informational(ResponseScanner head, ByteBuf received) {
        phase = Phase.RECEIVING; // no retry is possible after this point
        report.informational(choice.backend());
        bodies.informational(head, received);
    }

    /** Handles the head of the response and the first {@code bodyBytes} of its body; consumes {@code received}. */
    public void responseHead(ResponseScanner head, ByteBuf received, int bodyBytes, BodyFraming framing) {
        phase = Phase.RECEIVING;
        report.answered(choice.backend(), head.status());
        outliers.answered(choice.pool(), choice.backend(), head.status());
        bodies.responseHead(head, received, bodyBytes, framing);
    }

    // ---- tunnel

    /**
     * Starts a tunnel because the backend has accepted the requested protocol switch. Consumes {@code received},
     * which starts with the head of the backend's response. The backend's statistics count the response as
     * complete. The exchange lasts as long as the tunnel.
     */
    public void tunnel(ResponseScanner head, ByteBuf received, TunnelSide backendSide) {
        phase = Phase.TUNNEL;
        report.answered(choice.backend(), head.status());
        outliers.answered(choice.pool(), choice.backend(), head.status());
        report.finished(choice.pool(), choice.backend());
        admission.removeTimeLimit();
        TunnelSide clientSide = client.tunnel(head, received);
        if (phase != Phase.TUNNEL) {
            return; // the client is gone
        }
        listener.counters().shard(worker.index()).increment(ListenerCounter.TUNNELS_OPENED);
        tunnel = new Tunnel(
                worker,
                deadlines.tunnelIdle(),
                clientSide,
                backendSide,
                this::tunnelEnded,
                () -> fail(Failure.TUNNEL_IDLE));
        worker.sessions().add(this);
        tunnel.begin();
    }

    @Override
    public void terminate() {
        fail(Failure.MAINTENANCE);
    }

    /** Called when both directions of the tunnel have ended. */
    private void tunnelEnded() {
        end(/* failure= */ null);
        client.responseEnd();
    }

    // ---- finish

    /**
     * Completes the exchange after its response. The caller has already released the backend connection, so that
     * the client's next request can use it. Does nothing if the attempt is over.
     *
     * @param numbered the {@linkplain #attempt attempt} of the response
     */
    public void finish(long numbered) {
        if (!isConnected(numbered)) {
            return;
        }
        report.finished(choice.pool(), choice.backend());
        end(/* failure= */ null);
        client.responseEnd();
    }

    // ---- retry

    /**
     * Handles the failure of a backend or its connection. The connection is closed or about to close. If a retry
     * is allowed, it uses a new connection if a reused connection broke, and otherwise another backend. Does
     * nothing if the attempt is over.
     *
     * @param numbered the number of the {@linkplain #attempt attempt}
     * @param reason text for the access log; may be empty
     */
    public void backendFailed(long numbered, Failure failure, String reason) {
        if (isConnected(numbered)) {
            backendFailed(failure, reason);
        }
    }

    /** Handles the failure of the current attempt. */
    void backendFailed(Failure failure, String reason) {
        report.reason(reason);
        BackendSide link = bodies.disconnect();
        report.failed(choice.backend(), failure);
        worker.readClock();
        boolean sendsAgain = maySendAgain();
        if (sendsAgain && attempts.tryReplaceStale(failure, link != null && link.isReused())) {
            report.retried(choice.backend());
            connect(choice.backend(), /* fresh= */ true);
            return;
        }
        if (!wasStale(failure, link)) {
            outliers.failed(choice.pool(), choice.backend(), failure, reason);
        }
        if (sendsAgain) {
            tryAnother(failure, /* sent= */ link != null);
        } else {
            fail(failure);
        }
    }

    /**
     * Whether the backend probably closed an idle connection just as we reused it. This does not apply to HTTP/2:
     * such a connection is rarely idle, and the backend announces which streams it will not serve.
     */
    private static boolean wasStale(Failure failure, @Nullable BackendSide link) {
        return failure == Failure.RESET_BEFORE_RESPONSE && link != null && link.isReused() && !link.framesBodies();
    }

    private boolean maySendAgain() {
        return phase != Phase.RECEIVING && phase != Phase.TUNNEL && client.canSendAgain();
    }

    private void tryAnother(Failure failure, boolean sent) {
        if (attempts.mayTryAnother(failure, worker.now())
                && reserveAnotherBackend(failure.source() == Failure.Source.BACKEND, sent)) {
            connectToNextBackend();
        } else {
            fail(failure); // an exchange whose attempt has failed does not wait in the queue
        }
    }

    private boolean reserveAnotherBackend(boolean isToBlame, boolean sent) {
        nextBackend = choice.reserveAnother();
        if (nextBackend == null) {
            return false;
        }
        report.retried(choice.backend());
        if (isToBlame) {
            report.recordFailure(choice.pool(), choice.backend());
        }
        if (sent) {
            attempts.chargeRetryBudget(worker.now());
        }
        return true;
    }

    /**
     * Whether to drop a response with this head and try another backend. If true, the connection must detach from the
     * exchange, discard the response, and call {@link #connectToNextBackend}.
     */
    public boolean declinesResponse(ResponseScanner head) {
        if (!maySendAgain()
                || !attempts.conditions().covers(head.status())
                || !attempts.maySendAgain(worker.now())
                || !reserveAnotherBackend(/* isToBlame= */ true, /* sent= */ true)) {
            return false;
        }
        report.declined(choice.backend(), head.status());
        outliers.answered(choice.pool(), choice.backend(), head.status());
        bodies.disconnect();
        return true;
    }

    /** Releases the current backend and connects to the next one. */
    public void connectToNextBackend() {
        Backend next = requireNonNull(nextBackend);
        nextBackend = null;
        choice.release(choice.backend());
        connect(next, /* fresh= */ false);
    }

    // ---- fail

    /** Ends the exchange with a failure, and sends an error response to the client if that is still possible. */
    public void fail(Failure failure) {
        abandon(failure);
        client.fail(failure);
    }

    /** Ends the exchange because the client is gone. */
    public void clientGone() {
        abort(Failure.CLIENT_GONE);
    }

    /** Ends the exchange, if one is running, without a response to the client. */
    public void abort(Failure failure) {
        if (!isRunning()) {
            return;
        }
        search.leaveQueueOnDisconnect();
        abandon(failure);
    }

    private void abandon(Failure failure) {
        BackendSide open = bodies.disconnect();
        if (open != null) {
            report.failed(choice.backend(), failure);
            open.abort();
        }
        // A tunnel's backend has answered; the duration of the tunnel is not a response time.
        if (choice.hasBackend() && phase != Phase.TUNNEL && failure.source() == Failure.Source.BACKEND) {
            worker.readClock();
            report.recordFailure(choice.pool(), choice.backend());
        }
        end(failure);
    }

    private void end(@Nullable Failure failure) {
        report.ended(choice.pool(), failure);
        search.leaveQueue();
        if (tunnel != null) {
            worker.sessions().remove(this);
            tunnel.stop();
            tunnel = null;
            listener.counters().shard(worker.index()).increment(ListenerCounter.TUNNELS_CLOSED);
        }
        bodies.disconnect();
        choice.end();
        admission.release();
        phase = Phase.IDLE;
    }
}
