package io.ballast.http.exchange;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.balance.PickContext;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolCounter;
import io.ballast.core.pool.PoolSnapshot;
import io.ballast.core.pool.WaitLine;
import io.ballast.core.stats.Counters;
import io.ballast.http.net.DeadlineWheel;
import io.ballast.http.net.Worker;
import io.netty.buffer.ByteBuf;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response. Its life, from top to bottom of this file:
 *
 * <pre>
 *   begin → pick (→ wait) → connect → send → receive → finish
 *            ▲                          │        │
 *            └────────── retry ◄────────┴────────┴──► fail
 * </pre>
 *
 * <p>There is one place where an exchange moves to another connection or backend ({@link #backendFailed}) and there are
 * two where it ends ({@link #finish} and {@link #fail}). A client connection uses one object for all its exchanges, one
 * after the other, so an exchange costs no allocation.
 *
 * <p>Event-loop confined.
 */
public final class Exchange implements PickContext {

    /** A backend that fails must not look faster than this to least-response-time. */
    private static final long FAILURE_PENALTY_NANOS = Duration.ofSeconds(1).toNanos();

    private enum Phase {
        IDLE,
        WAITING,
        CONNECTING,
        SENDING,
        RECEIVING
    }

    private final Worker worker;
    private final Upstreams upstreams;
    private final Listener listener;
    private final ClientSide client;
    private final Attempts attempts;
    private final @Nullable WholeDeadline wholeDeadline;
    private final ExchangeTimes times = new ExchangeTimes();
    private long affinity;

    private Phase phase = Phase.IDLE;
    private @Nullable Pool pool;
    private @Nullable Backend backend;
    /** Whose response is not passed on, since another try is allowed. */
    private @Nullable Backend declined;

    private @Nullable BackendSide link;
    private @Nullable PlaceInLine place;
    private boolean headRequest;
    private boolean pipelinable;

    /** Whether a 1xx response was passed on, after which no other backend may answer. */
    private boolean informed;

    /** Whether the listener has counted it. */
    private boolean counted;

    private long nowNanos;
    private long sentNanos;
    private int status;

    /** @param affinity what ties this client's requests together, for the hash strategies */
    public Exchange(Worker worker, Upstreams upstreams, Listener listener, ClientSide client, long affinity) {
        this.worker = worker;
        this.upstreams = upstreams;
        this.listener = listener;
        this.client = client;
        this.attempts = new Attempts(worker.index());
        this.affinity = affinity;
        this.wholeDeadline = listener.config().deadlines().exchange().isZero() ? null : new WholeDeadline();
    }

    /** The next exchange belongs to another client than the last one. */
    public void affinity(long key) {
        affinity = key;
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

    /** Whether a connection is ready to take the rest of the request body. */
    public boolean isConnected() {
        return link != null;
    }

    /** Whether a backend accepts more of the request body now. */
    public boolean isBackendWritable() {
        return link != null && link.isWritable();
    }

    /** The backend that serves this exchange, for composing a head. */
    public Backend backend() {
        return requireNonNull(backend);
    }

    /** When its phases began; also after its end, until the next one begins. */
    public ExchangeTimes times() {
        return times;
    }

    public Pool pool() {
        return requireNonNull(pool);
    }

    /** How much of the request's body is worth keeping in case it must be sent again. */
    public int bodyBufferBytes() {
        return attempts.bodyBufferBytes();
    }

    /** How long the backend may take to begin its response. */
    public Duration responseTimeout() {
        PoolConfig settings = requireNonNull(pool).config();
        return settings.retry().responseTimeout(settings.connections().responseTimeout());
    }

    // ---- begin

    /** @param method the request's method, which decides whether it may be sent again */
    public void begin(Pool target, String method, boolean isIdempotent, boolean isHead, boolean isPipelinable) {
        pool = target;
        headRequest = isHead;
        pipelinable = isPipelinable;
        nowNanos = worker.now();
        times.begin(nowNanos);
        informed = false;
        attempts.begin(target, method, isIdempotent, nowNanos);
        if (admit()) {
            pick();
        }
    }

    private boolean admit() {
        if (listener.limitsExchanges()) {
            counted = listener.beginExchange();
            if (!counted) {
                fail(Failure.LISTENER_FULL);
                return false;
            }
        }
        if (wholeDeadline != null) {
            worker.setDeadline(wholeDeadline, listener.config().deadlines().exchange());
        }
        return true;
    }

    // ---- pick

    private void pick() {
        Pool target = requireNonNull(pool);
        WaitLine line = target.waitLine();
        if (line != null && line.isWaited()) {
            await(line); // nobody overtakes
            return;
        }
        PoolSnapshot snapshot = target.snapshot();
        Backend choice = reserve(snapshot);
        if (choice != null) {
            backend = choice;
            connect(choice, /* fresh= */ false);
        } else if (snapshot.usable().isEmpty()) {
            fail(Failure.NONE_UP);
        } else if (line == null) {
            fail(Failure.NONE_LEFT);
        } else {
            await(line);
        }
    }

    /** Picks a backend and counts this exchange there; null when none has room. */
    private @Nullable Backend reserve(PoolSnapshot snapshot) {
        Backend choice = snapshot.picker().pick(this);
        while (choice != null && !choice.inFlight().tryBegin()) {
            choice = snapshot.picker().pick(this); // another loop was faster
        }
        return choice;
    }

    @Override
    public long nextRandom() {
        return worker.random().nextLong();
    }

    @Override
    public long affinity() {
        return affinity;
    }

    @Override
    public long nowNanos() {
        return nowNanos;
    }

    @Override
    public boolean isExcluded(Backend candidate) {
        return attempts.isExcluded(candidate);
    }

    // ---- wait

    private void await(WaitLine line) {
        Pool target = requireNonNull(pool);
        PlaceInLine waiting = new PlaceInLine(line, worker, this);
        if (!waiting.join(target.config().queue().timeout())) {
            poolCounters().increment(PoolCounter.QUEUE_REFUSED);
            fail(Failure.QUEUE_FULL);
            return;
        }
        poolCounters().increment(PoolCounter.QUEUED);
        phase = Phase.WAITING;
        place = waiting;
        VarHandle.fullFence(); // joining comes before looking again: see WaitLine
        PoolSnapshot snapshot = target.snapshot();
        Backend free = reserve(snapshot);
        if (free != null) {
            line.release(free); // to whoever is first
        } else if (snapshot.usable().isEmpty()) {
            fail(Failure.NONE_UP);
        }
    }

    boolean isWaitingIn(PlaceInLine asking) {
        return place == asking;
    }

    /** The wait is over: with a place on a backend, or without one since none is up. */
    void waited(@Nullable Backend free) {
        place = null;
        if (free == null) {
            fail(Failure.NONE_UP);
            return;
        }
        nowNanos = worker.readClock();
        backend = free;
        connect(free, /* fresh= */ false);
    }

    /** No backend had room in time. */
    void waitedInVain() {
        place = null;
        poolCounters().increment(PoolCounter.QUEUE_TIMEOUTS);
        fail(Failure.QUEUE_TIMEOUT);
    }

    // ---- connect

    private void connect(Backend target, boolean fresh) {
        phase = Phase.CONNECTING;
        times.connect(target, nowNanos);
        upstreams.open(target, requireNonNull(pool).config().connections(), fresh, this);
    }

    /** The connection that was asked for is ready. */
    public void connected(BackendSide connection) {
        link = connection;
        nowNanos = worker.now();
        times.connected(nowNanos);
        send(connection);
    }

    /** The connection that was asked for could not be made. */
    public void connectFailed(Failure failure, String reason) {
        listener.trouble().connectFailed(requireNonNull(backend), reason);
        backendFailed(failure);
    }

    /** Whether a connection that has just been made is still wanted. */
    public boolean isConnecting(Backend target) {
        return phase == Phase.CONNECTING && backend == target;
    }

    // ---- send

    private void send(BackendSide connection) {
        phase = Phase.SENDING;
        attempts.sending();
        sentNanos = nowNanos;
        counters().increment(BackendCounter.REQUESTS);
        client.sendRequest(connection);
    }

    /** Sends more of the request body; consumes {@code data}. */
    public void requestBody(ByteBuf data) {
        requireNonNull(link).send(data);
    }

    /** The request body is complete. */
    public void requestEnd() {
        requireNonNull(link).requestSent();
    }

    /** The backend takes more of the request body again. */
    public void backendWritable() {
        client.resumeRequest();
    }

    // ---- receive

    /** A 1xx response came; consumes {@code received}. */
    public void informational(ResponseHead head, ByteBuf received) {
        counters().increment(BackendCounter.RESPONSES_1XX);
        informed = true;
        client.informational(head, received);
        throttle();
    }

    /** The head of the response came, and with it {@code bodyBytes} of its body; consumes {@code received}. */
    public void responseHead(ResponseHead head, ByteBuf received, int bodyBytes, BodyFraming framing) {
        phase = Phase.RECEIVING;
        times.answered(worker.now());
        status = head.status();
        counters().increment(BackendCounter.ofStatus(status));
        client.responseHead(head, received, bodyBytes, framing);
        throttle();
    }

    /**
     * Whether a response with this head is dropped because another backend is tried instead. Then the connection lets go of
     * the exchange, does away with the response, and calls {@link #moveOn}.
     */
    public boolean declines(ResponseHead head) {
        int code = head.status();
        if (!maySendAgain() || !attempts.mayTryAnother(code, worker.now())) {
            return false;
        }
        Backend refused = requireNonNull(backend);
        Backend next = reserveAnother(refused);
        if (next == null) {
            return false;
        }
        counters().increment(BackendCounter.ofStatus(code));
        counters().increment(BackendCounter.RETRIES);
        blame(refused, worker.now());
        attempts.sendingAgain(worker.now());
        link = null;
        declined = refused;
        backend = next;
        nowNanos = worker.now();
        return true;
    }

    /** The response that was declined is done away with. */
    public void moveOn() {
        release(requireNonNull(declined));
        declined = null;
        connect(requireNonNull(backend), /* fresh= */ false);
    }

    /** More of the response body came; consumes {@code data}. */
    public void responseBody(ByteBuf data) {
        client.responseBody(data);
        throttle();
    }

    /** What came in one go was handed over. */
    public void responsePause() {
        client.flush();
    }

    private void throttle() {
        BackendSide current = link;
        if (current != null && !client.isWritable()) {
            current.reading(false);
        }
    }

    /** The client takes more of the response again. */
    public void clientWritable() {
        if (link != null) {
            link.reading(true);
        }
    }

    // ---- finish

    /**
     * The response is complete. The connection to the backend has been let go of before, so that the client's next
     * request can use it.
     */
    public void finish() {
        Backend served = requireNonNull(backend);
        long now = worker.now();
        long took = now - sentNanos;
        served.stats().latency(worker.index()).record(took);
        if (status >= 500) {
            served.responseTime().recordFailure(took, FAILURE_PENALTY_NANOS, now);
        } else {
            served.responseTime().record(took, now);
        }
        end();
        client.responseEnd();
    }

    // ---- retry

    /**
     * The backend, or the connection to it, failed. The connection is closed or about to be. Tries again where that is
     * allowed: on a fresh connection after a reused one broke, else on another backend.
     */
    public void backendFailed(Failure failure) {
        Backend failed = requireNonNull(backend);
        boolean reused = link != null && link.isReused();
        boolean sent = link != null;
        link = null;
        if (failure.counter() != null) {
            counters().increment(failure.counter());
        }
        long now = worker.readClock();
        if (!maySendAgain()) {
            fail(failure);
        } else if (attempts.mayReplaceStale(failure, reused)) {
            nowNanos = now;
            counters().increment(BackendCounter.RETRIES);
            connect(failed, /* fresh= */ true);
        } else {
            tryAnother(failed, failure, sent, now);
        }
    }

    private boolean maySendAgain() {
        return phase != Phase.RECEIVING && !informed && client.canSendAgain();
    }

    private void tryAnother(Backend failed, Failure failure, boolean sent, long now) {
        Backend next = attempts.mayTryAnother(failure, now) ? reserveAnother(failed) : null;
        if (next == null) {
            fail(failure); // it does not wait: it has had its share of time
            return;
        }
        counters().increment(BackendCounter.RETRIES);
        blame(failed, now);
        if (sent) {
            attempts.sendingAgain(now);
        }
        release(failed);
        backend = next;
        nowNanos = now;
        connect(next, /* fresh= */ false);
    }

    private @Nullable Backend reserveAnother(Backend failed) {
        attempts.exclude(failed);
        return reserve(requireNonNull(pool).snapshot());
    }

    /** A backend that fails fast must not look fast. */
    private void blame(Backend failed, long now) {
        failed.responseTime().recordFailure(now - nowNanos, FAILURE_PENALTY_NANOS, now);
    }

    // ---- fail

    /** Gives the exchange up and tells the client, if it can still be told. */
    public void fail(Failure failure) {
        abandon(failure);
        client.fail(failure);
    }

    /** Gives the exchange up because the client is gone. */
    public void clientGone() {
        if (isRunning()) {
            if (place != null) {
                poolCounters().increment(PoolCounter.QUEUE_LEFT);
            }
            abandon(Failure.CLIENT_GONE);
        }
    }

    private void abandon(Failure failure) {
        BackendSide open = link;
        if (open != null) {
            if (failure.counter() != null) {
                counters().increment(failure.counter());
            }
            open.abort();
        }
        if (backend != null && failure.source() == Failure.Source.BACKEND) {
            blame(backend, worker.readClock());
        }
        end();
    }

    private void end() {
        if (place != null) {
            place.leave();
            place = null;
        }
        if (backend != null) {
            release(backend);
        }
        if (wholeDeadline != null) {
            worker.deadlines().remove(wholeDeadline);
        }
        if (counted) {
            counted = false;
            listener.endExchange();
        }
        phase = Phase.IDLE;
        backend = null;
        link = null;
        pool = null;
    }

    /** Frees the place on a backend. */
    private void release(Backend used) {
        WaitLine line = requireNonNull(pool).waitLine();
        if (line == null) {
            used.inFlight().end();
        } else {
            line.release(used);
        }
    }

    private Counters.Shard<PoolCounter> poolCounters() {
        return requireNonNull(pool).counters().shard(worker.index());
    }

    private Counters.Shard<BackendCounter> counters() {
        return requireNonNull(backend).stats().counters(worker.index());
    }

    /** For the exchange as a whole. */
    private final class WholeDeadline extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            fail(Failure.EXCHANGE_TIMEOUT);
        }
    }
}
