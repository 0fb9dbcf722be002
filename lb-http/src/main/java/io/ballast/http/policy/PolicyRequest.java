package io.ballast.http.policy;

import static java.util.Objects.requireNonNull;

import io.ballast.core.pool.Pool;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.http.trace.RequestTrace;
import io.ballast.net.tls.TlsSessionInfo;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The view of one request for its policies, and the results that they store: header lines, the authenticated identity,
 * one number and one object for each policy. One object serves all requests of an HTTP/1.1 connection, or all requests
 * of an HTTP/2 stream object. Event-loop confined.
 */
public abstract class PolicyRequest {

    /** The value of {@link #firstByteNanos} if no backend has responded. */
    public static final long NO_RESPONSE = -1;

    final Worker worker;
    final PolicyExchange.Owner owner;
    final PolicyEffects effects = new PolicyEffects();

    @Nullable PolicyChain chain;

    @Nullable RoutedRequest request;

    private final Supplier<TlsSessionInfo> tls;
    private final boolean behindProxy;
    private final ByteAppender scratch = new ByteAppender();
    private final RequestPath path = new RequestPath();
    /** Created for the first request that is traced. */
    private @Nullable RequestTrace trace;

    private byte[] client = {};
    private long[] marks = {};
    private @Nullable Object[] notes = {};
    private long firstByteNanos = NO_RESPONSE;
    private boolean tunnel;
    private boolean backendFailure;

    /**
     * @param tls returns the TLS session of the client's connection
     * @param behindProxy whether a trusted proxy has opened the connection
     */
    PolicyRequest(Worker worker, Supplier<TlsSessionInfo> tls, boolean behindProxy, PolicyExchange.Owner owner) {
        this.worker = worker;
        this.tls = tls;
        this.behindProxy = behindProxy;
        this.owner = owner;
    }

    void beginRequest(PolicyChain policies, RoutedRequest head, byte[] address) {
        chain = policies;
        request = head;
        client = address;
        if (marks.length < policies.length()) {
            marks = new long[policies.length()];
            notes = new @Nullable Object[policies.length()];
        }
        endCopy();
        effects.begin();
        firstByteNanos = NO_RESPONSE;
        tunnel = false;
        backendFailure = false;
        if (trace != null) {
            trace.clear();
        }
    }

    /** Ends the request. {@link Policy#ended} may be called afterwards, then {@link #forgetRequest}. */
    void endRequest(long untilFirstByte, boolean wasTunnel, @Nullable Failure failure) {
        chain = null;
        endCopy();
        firstByteNanos = untilFirstByte;
        tunnel = wasTunnel;
        backendFailure =
                failure != null && (failure.source() == Failure.Source.BACKEND || failure == Failure.EXCHANGE_TIMEOUT);
        effects.clearLines();
    }

    void forgetRequest() {
        Arrays.fill(notes, null);
        request = null;
    }

    private void endCopy() {
        RequestCopy ended = effects.requestCopy;
        if (ended != null) {
            effects.requestCopy = null;
            ended.requestEnded();
        }
    }

    /** The trace of the current request; null if it has none. */
    public @Nullable RequestTrace activeTrace() {
        return chain != null && trace != null && trace.isActive() ? trace : null;
    }

    /** The request; only valid during {@link Policy#evaluate}. */
    public RoutedRequest request() {
        return requireNonNull(request);
    }

    /**
     * Appends the path of the request in the normal form that routes compare, without its query. Other spellings of a
     * path have the same normal form. Only valid while {@link #request} is.
     */
    public void appendPath(ByteAppender target) {
        path.append(request(), target);
    }

    /** The client's address, 4 or 16 bytes; must not be modified. */
    public byte[] client() {
        return client;
    }

    public TlsSessionInfo tls() {
        return tls.get();
    }

    /** Whether a trusted proxy has opened the connection, so that its forwarding headers describe the client. */
    public boolean isBehindProxy() {
        return behindProxy;
    }

    /** The loop's clock in nanoseconds; see {@link System#nanoTime}. */
    public long now() {
        return worker.now();
    }

    /**
     * Returns a pending decision, which completes with {@code decision} after the given time. It is cancelled if the
     * client disconnects earlier.
     *
     * @param nanos the time in nanoseconds, at least 0
     */
    public PendingDecision after(long nanos, PolicyDecision decision) {
        return new PendingDecision(later(nanos, decision));
    }

    /**
     * Returns a future for a {@link PendingDecision} that completes after the given time, unless another thread
     * completes it earlier. If the client disconnects earlier, the future is cancelled.
     *
     * @param nanos the time in nanoseconds, at least 0
     * @param atEnd makes the decision when the time has passed
     */
    public CompletableFuture<Continuation> later(long nanos, Continuation atEnd) {
        CompletableFuture<Continuation> later = new CompletableFuture<>();
        ScheduledFuture<?> timer =
                worker.eventLoop().schedule(() -> later.complete(atEnd), nanos, TimeUnit.NANOSECONDS);
        later.whenComplete((result, failure) -> timer.cancel(/* mayInterruptIfRunning= */ false));
        return later;
    }

    /** The header lines that are added to the request for the backend, each with its line end. */
    public ByteAppender requestLines() {
        return effects.requestLines;
    }

    /** The header lines that are added to the response, each with its line end. */
    public ByteAppender responseLines() {
        return effects.responseLines;
    }

    /**
     * The header lines that are added to the response unless it already has a line of the same name, from the backend,
     * from a header rule or from an earlier policy. Each has its line end.
     */
    public ByteAppender defaultLines() {
        return effects.defaultLines;
    }

    /** A scratch buffer; its content is undefined after a policy returns. */
    public ByteAppender scratch() {
        return scratch;
    }

    /** The authenticated identity; {@link Identity#UNKNOWN} for none. */
    public Identity identity() {
        return effects.identity;
    }

    /** Whether a policy of the route authenticates clients, so that a response may be meant for only one client. */
    public boolean isAuthenticated() {
        return requireNonNull(chain).authenticates();
    }

    public void setIdentity(Identity found) {
        effects.identity = found;
    }

    /**
     * Requests a call of {@link ResponsePolicy#respond} with the response of the backend, or of a local source. All
     * policies that have requested it are called, in the order that {@link ResponsePolicy} describes.
     *
     * @param step the step of the calling policy
     */
    public void awaitResponse(int step) {
        effects.responders.add(step);
    }

    /** The event loop, for policies that send requests of their own with {@link Worker#background}. */
    public Worker worker() {
        return worker;
    }

    /** The pool that {@link Policy#targetPool} of the policy at this index names. */
    public Pool targetPool(int step) {
        return requireNonNull(requireNonNull(chain).target(step));
    }

    /** The generation of the topology whose routes selected the request's pool and the target pools of policies. */
    public int generation() {
        return requireNonNull(chain).generation();
    }

    /** Sends a copy of the request to {@code copy} while the request is forwarded to a backend. */
    public void copyRequest(RequestCopy copy) {
        RequestCopy other = effects.requestCopy;
        effects.requestCopy = other == null ? copy : new RequestCopyPair(other, copy);
    }

    /** The index of the event loop, for policies that keep separate state for each event loop. */
    public int loop() {
        return worker.index();
    }

    /** A text that identifies the route of the request among the routes of all listeners; must not be modified. */
    public byte[] route() {
        return requireNonNull(chain).route();
    }

    /**
     * Reads the body of the request; its data is forwarded afterwards. A client that expects a 100 response gets one.
     * The deadlines of clients apply. The policy must return a decision that depends on the result.
     *
     * @param maxBytes the maximum number of bytes to read
     * @param needsWhole whether the policy needs the whole body, so that a longer body is not read at all
     * @return a future that completes on the event loop, immediately if the request has no body; it never completes if
     *     the request ends earlier
     */
    public CompletableFuture<RequestBody> readBody(int maxBytes, boolean needsWhole) {
        CompletableFuture<RequestBody> result = new CompletableFuture<>();
        owner.readBody(new BodyRead(maxBytes, needsWhole, result));
        return result;
    }

    /**
     * Whether a policy may set the request header in {@code bytes[from, to)}, so that the client's lines are removed.
     */
    public boolean isSetByPolicies(byte[] bytes, int from, int to) {
        return requireNonNull(chain).setsHeader(bytes, from, to);
    }

    /**
     * Removes the client's lines of an end-to-end header. {@code name} is in lower case, with hyphens instead of
     * underscores.
     */
    public void removeRequestHeader(byte[] name) {
        effects.removeHeader(name);
    }

    /** The names of removed request headers; null for none. */
    public @Nullable List<byte[]> removedRequestHeaders() {
        return effects.removedHeaders;
    }

    /**
     * The names, in lower case with hyphens, of the request headers that Ballast computes, so that their values at a
     * backend depend on more than the header lines of the client. They include the headers with the client's address.
     */
    public Set<String> computedHeaders() {
        return requireNonNull(chain).computedHeaders();
    }

    /** Stores an object until the request ends. */
    public void setNote(int step, Object note) {
        notes[step] = note;
    }

    /** The object that a policy has stored; null for none. */
    public @Nullable Object note(int step) {
        return notes[step];
    }

    /**
     * Composes the request as it would be sent to a backend, so that the policy can send it as a background request.
     * Only valid while {@link #request} is.
     *
     * @param step the step of the calling policy
     * @return null if the route selects no backend, or a filter may still change the request
     */
    public @Nullable BackendRequest composeRequest(int step) {
        return requireNonNull(chain).hasFilterAfter(step) ? null : owner.composeRequest();
    }

    /** Stores a number for {@link Policy#ended}. */
    public void setMark(int step, long value) {
        marks[step] = value;
    }

    public long mark(int step) {
        return marks[step];
    }

    /**
     * The nanoseconds from the connection to the backend until the head of its response, for the last attempt;
     * {@link #NO_RESPONSE} if no backend has responded. Only valid during {@link Policy#ended}.
     */
    public long firstByteNanos() {
        return firstByteNanos;
    }

    /** Whether the request became a tunnel, such as a WebSocket. Only valid during {@link Policy#ended}. */
    public boolean isTunnel() {
        return tunnel;
    }

    /**
     * Whether the request failed because of its pool: no backend was usable or reachable, or a backend did not complete
     * its response in time. Only valid during {@link Policy#ended}.
     */
    public boolean isBackendFailure() {
        return backendFailure;
    }

    /** The trace of the request, which a tracing policy begins. */
    public RequestTrace trace() {
        RequestTrace known = trace;
        if (known == null) {
            known = new RequestTrace(worker.random());
            trace = known;
        }
        return known;
    }

    /** Whether the policy at this index is evaluated without effect, so that it must not delay the request. */
    public boolean isDryRun(int step) {
        return requireNonNull(chain).step(step).dryRun();
    }

    /** Sends the request to the fallback pool of its route, if it has one, instead of the route's pool. */
    public void useFallback() {
        effects.fallback = true;
    }

    /** Whether the request goes to the fallback pool of its route. */
    public boolean usesFallback() {
        return effects.fallback;
    }
}
