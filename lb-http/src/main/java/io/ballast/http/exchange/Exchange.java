package io.ballast.http.exchange;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.pool.Pool;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.RequestMethod;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.local.ResponseSource;
import io.ballast.http.net.ProxiedClient;
import io.ballast.http.net.Worker;
import io.ballast.http.policy.RequestCopy;
import io.ballast.http.relay.Admission;
import io.ballast.http.relay.AttemptHistory;
import io.ballast.http.relay.BackendChoice;
import io.ballast.http.relay.BackendSearch;
import io.ballast.http.relay.ClientKeys;
import io.ballast.http.relay.Failure;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response. The methods of this file are in the order of the phases:
 *
 * <pre>
 *   begin → pick (→ wait) → connect → send → receive → finish
 *            ▲                          │        │ (→ tunnel)
 *            └────────── retry ◄────────┴────────┴──► fail
 *
 *   beginLocal → send → receive → finish    (a local source answers instead of a backend)
 * </pre>
 *
 * <p>An exchange moves to another connection or backend only in {@link #backendFailed}, or after {@link
 * #declinesResponse}. It ends only in {@link #complete}, {@link #fail}, {@link #abort} and {@link
 * #continueWithoutResponse}. It may outlive its client: see {@link #isDetached}. A client connection uses one object
 * for all its exchanges in sequence, so an exchange costs no allocation.
 *
 * <p>The client side reaches the backend through {@link #connection}. The connection reaches the client through the
 * methods of the receive phase. Tunnel data passes through a {@link Tunnel}.
 *
 * <p>Event-loop confined.
 */
public final class Exchange {

    private final Worker worker;
    private final ConnectionSource connections;
    private final Listener listener;
    private final ClientDeadlines deadlines;
    private final ClientSide client;
    private final @Nullable ProxiedClient proxiedClient;
    private final Admission admission;
    private final AttemptHistory attempts;
    private final BackendChoice choice;
    private final BackendSearch search;
    private final ExchangeReport report;
    private final ExchangeRetry retry;
    private final ResponseForwarder response;
    private final ResponseInterception interception;
    private final CurrentAttempt current = new CurrentAttempt();

    private @Nullable ExchangeTunnel tunnel;
    /** Whether the client has disconnected, and the exchange only receives the rest of the response for a policy. */
    private boolean detached;

    /**
     * Creates the exchange object of a client connection.
     *
     * @param deadlines the time limits of an exchange and its tunnel
     * @param proxiedClient the client that PROXY headers identify to backends; null if its addresses are unknown
     * @param keys the values that strategies use to recognize the client and each of its requests
     */
    public Exchange(
            Worker worker,
            ConnectionSource connections,
            Listener listener,
            ClientDeadlines deadlines,
            ClientSide client,
            @Nullable ProxiedClient proxiedClient,
            ClientKeys keys) {
        this.worker = worker;
        this.connections = connections;
        this.listener = listener;
        this.deadlines = deadlines;
        this.client = client;
        this.proxiedClient = proxiedClient;
        this.admission =
                new Admission(worker, listener.inFlight(), deadlines.exchange(), () -> fail(Failure.EXCHANGE_TIMEOUT));
        this.attempts = new AttemptHistory(worker.index());
        this.choice = new BackendChoice(worker, attempts, keys);
        this.search = new BackendSearch(worker, choice, found -> connect(found, /* fresh= */ false), this::fail);
        this.report = new ExchangeReport(worker, listener.failureListener(), choice);
        this.retry = new ExchangeRetry(worker, attempts, choice, report);
        this.response = new ResponseForwarder(
                worker, client, this::clientWritable, this::complete, () -> fail(Failure.RESPONSE_POLICY_FAILED));
        this.interception = new ResponseInterception(client, report);
    }

    /** The client that PROXY headers identify to backends; null if its addresses are unknown. */
    public @Nullable ProxiedClient proxiedClient() {
        return proxiedClient;
    }

    /** Whether the exchange serves its client. */
    public boolean isRunning() {
        return current.isRunning() && !detached;
    }

    /**
     * Whether the client has disconnected, and the exchange receives the rest of the response for a policy. For
     * example, other clients may wait for a cache to store the response. The next exchange of this object must not
     * begin before this exchange ends.
     */
    public boolean isDetached() {
        return detached;
    }

    /** Returns the client side. The connection calls it directly if the exchange need not record the event. */
    public ClientSide client() {
        return client;
    }

    /** The properties of the client's request; they do not change while the exchange runs. */
    public RequestProperties request() {
        return client.request();
    }

    /** The backend of the current attempt; null if there is none, for example because a local source answers. */
    public @Nullable Backend backend() {
        return choice.hasBackend() ? choice.backend() : null;
    }

    /**
     * The backend connection of the current attempt, on which the client's request is sent; null if there is none.
     */
    public @Nullable BackendSide connection() {
        return current.connection();
    }

    /** The start times of the phases; valid until the next exchange begins. */
    public ExchangeTimes times() {
        return report.times();
    }

    /** Number of bytes of the request's body to buffer for a retry. */
    public int bodyBufferBytes() {
        return choice.hasPool() ? attempts.bodyBufferBytes() : 0;
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
     */
    public void begin(Pool target, int generation) {
        RequestMethod method = client.request().method();
        report.started(client.recordedTrace());
        choice.begin(target);
        boolean isRepeatable = target.config().retry().methods().covers(method.name(), method.isIdempotent());
        attempts.begin(target, method.isIdempotent(), isRepeatable, worker.now());
        if (admission.tryAcquire()) {
            current.search();
            search.begin(target, generation); // calls connect or fail, now or after waiting for a backend
        } else {
            fail(Failure.LISTENER_FULL);
        }
    }

    /** Begins an exchange that a local source answers instead of a backend. */
    public void beginLocal(ResponseSource source) {
        report.started(/* recorded= */ null);
        ExchangeSink sink = new ExchangeSink(worker, this, response, report, source);
        LocalSide side = new LocalSide(sink);
        current.begin();
        current.setConnection(side);
        if (!admission.tryAcquire()) {
            fail(Failure.LISTENER_FULL);
            return;
        }
        current.send(client);
        if (current.connection() == side) {
            sink.start();
        }
    }

    // ---- connect

    private void connect(Backend target, boolean fresh) {
        current.begin();
        choice.setBackend(target);
        report.connecting();
        BackendConnections settings = choice.pool().config().connections();
        boolean needsFresh = fresh
                || attempts.needsFresh(client.isFirstRequest(), client.request().announcedBodyBytes());
        connected(connections.open(target, settings, needsFresh, this));
    }

    /** Creates a ticket for the current attempt, for code that connects the exchange later. Allocates. */
    public AttemptTicket ticket() {
        return new AttemptTicket(this, current.number());
    }

    /**
     * Returns the number of the current attempt. A connection saves this number before it detaches from the exchange,
     * and later ends or fails the attempt by number. By then, the exchange may have ended, and this object may already
     * serve another request.
     */
    public long attempt() {
        return current.number();
    }

    /** Whether the attempt with this number is the current one and is waiting for its connection. */
    boolean isConnecting(long numbered) {
        return current.isConnecting(numbered);
    }

    /**
     * Assigns the connection {@code serving} to the current attempt and sends the request; does nothing if it is null,
     * because the attempt still waits.
     */
    void connected(@Nullable BackendSide serving) {
        if (serving != null) {
            RequestCopy copy = client.requestCopy();
            current.setConnection(copy == null ? serving : new CopiedBackendSide(serving, copy));
            send();
        }
    }

    /** Reports that the connection for the current attempt could not be established. */
    void connectFailed(Failure failure, String reason) {
        report.connectFailed(failure, reason);
        backendFailed(failure, reason);
    }

    // ---- send

    private void send() {
        attempts.countSend();
        report.sent();
        current.send(client);
    }

    /** Whether a backend accepts more of the request body now. */
    public boolean isBackendWritable() {
        return current.isWritable();
    }

    /**
     * The number of request bytes that wait for the backend, plus the response bytes that wait for a transform or
     * policy.
     */
    public long pendingBytes() {
        return response.pendingBytes() + current.pendingBytes();
    }

    /**
     * Called when the backend accepts more of the request body again. The call is ignored while the client sends the
     * first part of its request, because resuming the client at that time would reorder or duplicate parts of the body.
     * The client sends the rest of the body after that part.
     */
    public void backendWritable() {
        if (!current.isSending() && !detached) {
            client.resumeRequest();
        }
    }

    // ---- receive

    /** Handles a 1xx response; consumes {@code received}. */
    public void informational(ResponseScanner head, ByteBuf received) {
        current.receive();
        report.informational();
        client.informational(head, received);
        throttle();
    }

    /** Handles the head of the response and the first {@code bodyBytes} of its body; consumes {@code received}. */
    public void responseHead(ResponseScanner head, ByteBuf received, int bodyBytes, BodyFraming framing) {
        current.receive();
        report.answered(head.status());
        response.head(head, received, bodyBytes, framing);
        throttle();
    }

    /** Forwards a part of the response body; consumes {@code data}. */
    public void responseBody(ByteBuf data) {
        response.body(data);
        if (detached && !response.outlivesClient()) {
            abandon(Failure.CLIENT_GONE); // no other client waits for the response any longer
            return;
        }
        throttle();
    }

    /** Flushes the response at the end of a read round. */
    public void flushResponse() {
        response.flush();
    }

    /** Stops reading the response while the client is slow, so that data does not accumulate. */
    private void throttle() {
        if (!response.isWritable()) {
            current.setReading(false);
        }
    }

    /** Called when the client accepts more of the response again. */
    public void clientWritable() {
        if (response.resume()) {
            current.setReading(true);
        }
    }

    // ---- tunnel

    /**
     * Starts a tunnel because the backend has accepted the requested protocol switch. Consumes {@code received}, which
     * starts with the head of the backend's response. The backend's statistics count the response as complete. The
     * exchange lasts as long as the tunnel.
     */
    public void tunnel(ResponseScanner head, ByteBuf received, TunnelSide backendSide) {
        current.tunnel();
        report.answered(head.status());
        report.finished();
        admission.removeTimeLimit();
        TunnelSide clientSide = client.tunnel(head, received);
        if (!current.isTunnel()) {
            return; // the client has disconnected
        }
        tunnel = new ExchangeTunnel(worker, listener, this, deadlines.tunnelIdle(), clientSide, backendSide);
        tunnel.begin();
    }

    // ---- finish

    /**
     * Completes the exchange after its response. The caller has already released the backend connection, so that the
     * client's next request can use it. Does nothing if the attempt is over.
     *
     * @param numbered the {@linkplain #attempt attempt} of the response
     */
    public void finish(long numbered) {
        if (!current.isConnected(numbered)) {
            return;
        }
        report.finished();
        endResponse();
    }

    /** Completes the exchange after its response, which may come from a local source. */
    void endResponse() {
        current.disconnect(); // the connection may serve another exchange while a transform still works
        if (response.end()) {
            complete();
        }
    }

    /** Ends the exchange after its whole response was passed to the client, or after its tunnel has ended. */
    void complete() {
        boolean hasClient = !detached;
        end(/* failure= */ null);
        if (hasClient) {
            client.responseEnd();
        }
    }

    // ---- retry

    /**
     * Handles the failure of a backend or its connection. The connection is closed or about to close. A retry, if
     * allowed, uses a new connection to the same backend if a reused connection broke. Otherwise it uses another
     * backend. Does nothing if the attempt is over.
     *
     * @param numbered the number of the {@linkplain #attempt attempt}
     * @param reason text for the access log; may be empty
     */
    public void backendFailed(long numbered, Failure failure, String reason) {
        if (current.isConnected(numbered)) {
            backendFailed(failure, reason);
        }
    }

    /** Handles the failure of the current attempt. */
    void backendFailed(Failure failure, String reason) {
        BackendSide link = current.disconnect();
        switch (retry.afterFailure(failure, reason, link, maySendAgain())) {
            case SAME_BACKEND -> connect(choice.backend(), /* fresh= */ true);
            case OTHER_BACKEND -> connect(retry.moveOn(), /* fresh= */ false);
            case NONE -> fail(failure); // the exchange does not queue for a backend again
        }
    }

    private boolean maySendAgain() {
        return !current.hasResponse() && client.canSendAgain();
    }

    /**
     * Whether to drop a response with this head, because another backend is tried or an error page replaces the
     * response. If so, the connection must detach from the exchange, discard the response, and call {@link
     * #continueWithoutResponse}.
     */
    public boolean declinesResponse(ResponseScanner head) {
        boolean declines = (maySendAgain() && retry.declines(head)) || interception.replaces(head);
        if (declines) {
            current.disconnect();
        }
        return declines;
    }

    /** Connects to the next backend, or answers with an error page, after a response was declined. */
    public void continueWithoutResponse() {
        int status = interception.takeStatus();
        if (status == ResponseInterception.NONE) {
            connect(retry.moveOn(), /* fresh= */ false);
        } else {
            end(/* failure= */ null);
            client.intercepted(status);
        }
    }

    // ---- fail

    /** Ends the exchange with a failure, and sends an error response to the client if that is still possible. */
    public void fail(Failure failure) {
        boolean hasClient = !detached;
        if (!detach(failure)) {
            abandon(failure);
        }
        if (hasClient) {
            client.fail(failure);
        }
    }

    /** Ends the exchange because the client has disconnected. */
    public void clientGone() {
        abort(Failure.CLIENT_GONE);
    }

    /** Ends the exchange, if one is running, without a response to the client. */
    public void abort(Failure failure) {
        if (!isRunning()) {
            return;
        }
        search.leaveQueueOnDisconnect();
        if (!detach(failure)) {
            abandon(failure);
        }
    }

    /**
     * Continues without the client if a policy needs the rest of the response, and neither the backend nor the policy
     * has failed. The response is then received until it ends, the backend times out, or the policy no longer needs it.
     *
     * @return whether the exchange continues
     */
    private boolean detach(Failure failure) {
        boolean isOfClient = failure.source() == Failure.Source.CLIENT
                || failure == Failure.EXCHANGE_TIMEOUT
                || failure == Failure.SHED;
        if (detached || !isOfClient || !current.hasResponse() || !response.detach()) {
            return false;
        }
        detached = true;
        admission.removeTimeLimit();
        current.setReading(true);
        return true;
    }

    private void abandon(Failure failure) {
        BackendSide open = current.disconnect();
        report.abandoned(failure, open != null, current.isTunnel());
        if (open != null) {
            open.abort();
        }
        end(failure);
    }

    private void end(@Nullable Failure failure) {
        report.ended(failure);
        search.leaveQueue();
        response.stop();
        if (tunnel != null) {
            tunnel.stop();
            tunnel = null;
        }
        choice.end();
        admission.release();
        current.end();
        detached = false;
    }
}
