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
import io.ballast.http.net.LastingSession;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Admission;
import io.ballast.http.relay.Attempts;
import io.ballast.http.relay.BackendChoice;
import io.ballast.http.relay.BackendSearch;
import io.ballast.http.relay.Failure;
import io.netty.buffer.ByteBuf;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response. Its life, from top to bottom of this file:
 *
 * <pre>
 *   begin → pick (→ wait) → connect → send → receive → finish
 *            ▲                          │        │ (→ tunnel)
 *            └────────── retry ◄────────┴────────┴──► fail
 * </pre>
 *
 * <p>There is one place where an exchange moves to another connection or backend ({@link #backendFailed}) and there are
 * three where it ends ({@link #finish}, {@link #tunnelEnded} and {@link #fail}). A client connection uses one object for
 * all its exchanges, one after the other, so an exchange costs no allocation. Bodies pass by, through its {@link #bodies},
 * and the octets of a tunnel through a {@link Tunnel}.
 *
 * <p>Event-loop confined.
 */
public final class Exchange implements LastingSession {

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
    private final Attempts attempts;
    private final BackendChoice choice;
    private final BackendSearch search;
    private final ExchangeReport report;
    private final OutlierDetection outliers;
    private final BodyRelay bodies;

    private Phase phase = Phase.IDLE;
    /** Who is tried next, while the present backend is done away with. */
    private @Nullable Backend another;

    private @Nullable SocketAddress clientAddress;
    private @Nullable SocketAddress localAddress;
    /** Counts the attempts of all requests that use this object; see {@link AttemptTicket}. */
    private long attempt;

    private boolean headRequest;
    private boolean pipelinable;
    /** What the request asks to switch to; null if it does not. */
    private @Nullable UpgradeProtocol upgrade;

    private @Nullable Tunnel tunnel;

    /**
     * @param deadlines how long an exchange and its tunnel may take
     * @param affinity what ties this client's requests together, for the hash strategies
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
        this.attempts = new Attempts(worker.index());
        this.choice = new BackendChoice(worker, attempts, affinity);
        this.search = new Search();
        this.report = new ExchangeReport(worker);
        this.outliers = new OutlierDetection(worker, listener.trouble());
        this.bodies = new BodyRelay(client);
    }

    /** The next exchange belongs to another client than the last one. */
    public void affinity(long key) {
        choice.affinity(key);
    }

    /** The exchanges from now on are of a client with this address, see {@link BackendChoice#address}. */
    public void address(byte[] octets) {
        choice.address(octets);
    }

    /** What ties the next exchange, and no other, to a backend instead of its client; 0 for the client after all. */
    public void key(long hash) {
        choice.key(hash);
    }

    /** The two halves of the token that the next exchange, and no other, shows. */
    public void token(long high, long low) {
        choice.token(high, low);
    }

    /** Whose requests these are, as the PROXY protocol tells backends. */
    public void between(SocketAddress client, SocketAddress local) {
        clientAddress = client;
        localAddress = local;
    }

    /** The client's end of its connection; null if it was not said. */
    public @Nullable SocketAddress clientAddress() {
        return clientAddress;
    }

    /** Our end of the client's connection; null if it was not said. */
    public @Nullable SocketAddress localAddress() {
        return localAddress;
    }

    public boolean isRunning() {
        return phase != Phase.IDLE;
    }

    /** Whether this is the response to a HEAD request, which has no body whatever its head says. */
    public boolean isHeadRequest() {
        return headRequest;
    }

    /** Whether the request is safe (RFC 9110 section 9.2.1) and has no body, so that it can go out behind another. */
    public boolean isPipelinable() {
        return pipelinable;
    }

    /** The protocol that the request asks the backend to switch to; null if it asks for none. */
    public @Nullable UpgradeProtocol upgrade() {
        return upgrade;
    }

    /** Whether it asks the backend for a WebSocket. */
    public boolean asksForWebSocket() {
        return upgrade != null && upgrade.isWebSocket();
    }

    /** The backend that serves this exchange. */
    @Override
    public Backend backend() {
        return choice.backend();
    }

    /** Where the two bodies pass while it runs. */
    public BodyRelay bodies() {
        return bodies;
    }

    /** When its phases began; also after its end, until the next one begins. */
    public ExchangeTimes times() {
        return report.times();
    }

    /** How much of the request's body is worth keeping in case it must be sent again. */
    public int bodyBufferBytes() {
        return attempts.bodyBufferBytes();
    }

    /** How long the backend may take to begin its response. */
    public Duration responseTimeout() {
        return attempts.responseTimeout();
    }

    // ---- begin

    /**
     * @param generation that of the topology in whose routes the pool was found
     * @param method the request's method, which decides whether it may be sent again
     * @param asksFor the protocol that the request asks to switch to; null if it does not
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
        report.begun();
        choice.begin(target);
        boolean isRepeatable = target.config().retry().methods().covers(method, isIdempotent);
        attempts.begin(target, isIdempotent, isRepeatable, worker.now());
        if (admission.enter()) {
            phase = Phase.SEARCHING;
            search.begin(target, generation);
        } else {
            fail(Failure.LISTENER_FULL);
        }
    }

    // ---- pick, and wait if all are full

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
        choice.settle(target);
        report.connecting(target);
        outliers.begun(target);
        BackendConnections settings = choice.pool().config().connections();
        connected(connections.open(target, settings, fresh || needsFresh(settings), this));
    }

    /** Whether a connection that was kept could lose the request for good, at the client too. */
    private boolean needsFresh(BackendConnections settings) {
        return settings.reuse() == ConnectionReuse.SAFE
                && client.isFirstRequest()
                && !attempts.keepsWhole(client.announcedBodyBytes());
    }

    /** A ticket for the present attempt, for code that connects the exchange later. Allocates. */
    public AttemptTicket ticket() {
        return new AttemptTicket(this, attempt);
    }

    /**
     * The number of the present attempt. A connection that serves it notes the number before it lets go of the exchange, and
     * ends or fails the attempt by it: what happens in between may end the exchange, and begin another with this object.
     */
    public long attempt() {
        return attempt;
    }

    /** Whether this attempt is the present one and has its connection. */
    private boolean isServed(long numbered) {
        return attempt == numbered && (phase == Phase.SENDING || phase == Phase.RECEIVING || phase == Phase.TUNNEL);
    }

    /** Whether this attempt, as numbered when its ticket was made, is the present one and waits for its connection. */
    boolean isConnecting(long numbered) {
        return attempt == numbered && phase == Phase.CONNECTING;
    }

    /** The present attempt has its connection; null if it goes on waiting. */
    void connected(@Nullable BackendSide connection) {
        if (connection != null) {
            bodies.connect(connection);
            send(connection);
        }
    }

    /** The connection of the present attempt could not be made. */
    void connectFailed(Failure failure, String reason) {
        if (failure.source() == Failure.Source.BACKEND) {
            listener.trouble().connectFailed(choice.backend(), reason);
        }
        backendFailed(failure, reason);
    }

    // ---- send

    private void send(BackendSide connection) {
        phase = Phase.SENDING;
        attempts.sending();
        report.sent(choice.backend());
        bodies.sending(true);
        client.sendRequest(connection);
        bodies.sending(false);
    }

    // ---- receive

    /** A 1xx response came; consumes {@code received}. */
    public void informational(ResponseScanner head, ByteBuf received) {
        phase = Phase.RECEIVING; // no other backend may answer now
        report.informational(choice.backend());
        bodies.informational(head, received);
    }

    /** The head of the response came, and with it {@code bodyBytes} of its body; consumes {@code received}. */
    public void responseHead(ResponseScanner head, ByteBuf received, int bodyBytes, BodyFraming framing) {
        phase = Phase.RECEIVING;
        report.answered(choice.backend(), head.status());
        outliers.answered(choice.pool(), choice.backend(), head.status());
        bodies.responseHead(head, received, bodyBytes, framing);
    }

    // ---- tunnel

    /**
     * The backend switches to the protocol that it was asked for; consumes {@code received}, which starts with the head of
     * its response. For the statistics of the backend its response is complete; the exchange lasts as long as the tunnel.
     */
    public void tunnel(ResponseScanner head, ByteBuf received, TunnelSide backendSide) {
        phase = Phase.TUNNEL;
        report.answered(choice.backend(), head.status());
        outliers.answered(choice.pool(), choice.backend(), head.status());
        report.finished(choice.pool(), choice.backend());
        admission.tunnel();
        TunnelSide clientSide = client.tunnel(head, received);
        if (phase != Phase.TUNNEL) {
            return; // the client turned out to be gone
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
    public void cut() {
        fail(Failure.MAINTENANCE);
    }

    /** Both sides of the tunnel have said all that they had to say. */
    private void tunnelEnded() {
        end(/* failure= */ null);
        client.responseEnd();
    }

    // ---- finish

    /**
     * The response is complete. The connection to the backend has been let go of before, so that the client's next
     * request can use it. Does nothing if the attempt is over.
     *
     * @param numbered the {@linkplain #attempt attempt} whose response it is
     */
    public void finish(long numbered) {
        if (!isServed(numbered)) {
            return;
        }
        report.finished(choice.pool(), choice.backend());
        end(/* failure= */ null);
        client.responseEnd();
    }

    // ---- retry

    /**
     * The backend, or the connection to it, failed. The connection is closed or about to be. Tries again where that is
     * allowed: on a fresh connection after a reused one broke, else on another backend. Does nothing if the attempt is over.
     *
     * @param numbered the {@linkplain #attempt attempt} that was served
     * @param reason in words for the access log; empty if there is nothing to say
     */
    public void backendFailed(long numbered, Failure failure, String reason) {
        if (isServed(numbered)) {
            backendFailed(failure, reason);
        }
    }

    /** The same for the present attempt. */
    void backendFailed(Failure failure, String reason) {
        report.reason(reason);
        BackendSide link = bodies.disconnect();
        report.failed(choice.backend(), failure);
        worker.readClock();
        boolean sendsAgain = maySendAgain();
        if (sendsAgain && attempts.mayReplaceStale(failure, link != null && link.isReused())) {
            report.left(choice.backend());
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
     * Whether the backend most likely closed the connection for having been idle, just as we took it. A connection of HTTP/2 is
     * seldom idle, and its backend says before which streams it will not serve.
     */
    private static boolean wasStale(Failure failure, @Nullable BackendSide link) {
        return failure == Failure.RESET_BEFORE_RESPONSE && link != null && link.isReused() && !link.framesBodies();
    }

    private boolean maySendAgain() {
        return phase != Phase.RECEIVING && phase != Phase.TUNNEL && client.canSendAgain();
    }

    private void tryAnother(Failure failure, boolean sent) {
        if (attempts.mayTryAnother(failure, worker.now())
                && findAnother(failure.source() == Failure.Source.BACKEND, sent)) {
            moveOn();
        } else {
            fail(failure); // after an attempt it does not wait for a place
        }
    }

    private boolean findAnother(boolean isToBlame, boolean sent) {
        another = choice.reserveAnother();
        if (another == null) {
            return false;
        }
        report.left(choice.backend());
        if (isToBlame) {
            report.blame(choice.pool(), choice.backend());
        }
        if (sent) {
            attempts.sendingAgain(worker.now());
        }
        return true;
    }

    /**
     * Whether a response with this head is dropped because another backend is tried instead. Then the connection lets go of
     * the exchange, does away with the response, and calls {@link #moveOn}.
     */
    public boolean declines(ResponseScanner head) {
        if (!maySendAgain()
                || !attempts.conditions().covers(head.status())
                || !attempts.maySendAgain(worker.now())
                || !findAnother(/* isToBlame= */ true, /* sent= */ true)) {
            return false;
        }
        report.declined(choice.backend(), head.status());
        outliers.answered(choice.pool(), choice.backend(), head.status());
        bodies.disconnect();
        return true;
    }

    /** The present backend is done with: goes to the other one. */
    public void moveOn() {
        Backend next = requireNonNull(another);
        another = null;
        choice.release(choice.backend());
        connect(next, /* fresh= */ false);
    }

    // ---- fail

    /** Gives the exchange up and tells the client, if it can still be told. */
    public void fail(Failure failure) {
        abandon(failure);
        client.fail(failure);
    }

    /** Gives the exchange up because the client is gone. */
    public void clientGone() {
        giveUp(Failure.CLIENT_GONE);
    }

    /** Gives the exchange up, if one is running, without a word to the client. */
    public void giveUp(Failure failure) {
        if (!isRunning()) {
            return;
        }
        search.leaveWithClient();
        abandon(failure);
    }

    private void abandon(Failure failure) {
        BackendSide open = bodies.disconnect();
        if (open != null) {
            report.failed(choice.backend(), failure);
            open.abort();
        }
        // A tunnel's backend has answered; how long it held the tunnel is no response time.
        if (choice.isMade() && phase != Phase.TUNNEL && failure.source() == Failure.Source.BACKEND) {
            worker.readClock();
            report.blame(choice.pool(), choice.backend());
        }
        end(failure);
    }

    private void end(@Nullable Failure failure) {
        report.over(choice.pool(), failure);
        search.leave();
        if (tunnel != null) {
            worker.sessions().remove(this);
            tunnel.stop();
            tunnel = null;
            listener.counters().shard(worker.index()).increment(ListenerCounter.TUNNELS_CLOSED);
        }
        bodies.disconnect();
        choice.end();
        admission.leave();
        phase = Phase.IDLE;
    }
}
