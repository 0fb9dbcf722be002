package io.ballast.http.policy;

import static java.util.Objects.requireNonNull;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.http.route.request.PathNormalizer;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.http.transform.BodyTransform;
import io.ballast.http.transform.ResponseEdit;
import io.ballast.net.tls.TlsSessionInfo;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the policies of one request after another, and holds what they pass on: header lines, the authenticated
 * identity, and one number for each policy. One object serves all requests of an HTTP/1.1 connection, or all of an
 * HTTP/2 stream object. Event-loop confined.
 */
public final class PolicyExchange {

    /** The value of {@link #firstByteNanos} if no backend has responded. */
    public static final long NO_RESPONSE = -1;

    /** The step if no policy changes the response. */
    private static final int NO_STEP = -1;

    /** The maximum time of a pending decision, longer than any time that a policy may be configured to wait. */
    private static final int MAX_PENDING_SECONDS = 120;

    /** Refuses a request about which a policy could not decide. */
    private static final Refusal UNAVAILABLE = Refusal.undecided("policy_failed");

    /** Continues a request whose policies were pending. */
    public interface Owner {

        /** Makes the head of the waiting request readable again, and returns it. */
        RoutedRequest restoreRequest();

        /** Called once all policies have decided. */
        void policiesDecided(Outcome outcome);
    }

    /** The result of a chain. */
    public enum Outcome {
        PASSED,
        /** A policy answers the request: {@link #response} is not a pass. */
        ANSWERED,
        /** {@link Owner#policiesDecided} follows, unless {@link #cancel} is called before. */
        PENDING
    }

    private final Worker worker;
    private final Supplier<TlsSessionInfo> tls;
    private final Owner owner;
    private final ByteAppender requestLines = new ByteAppender();
    private final ByteAppender responseLines = new ByteAppender();
    private final ByteAppender defaultLines = new ByteAppender();
    private final ByteAppender scratch = new ByteAppender();
    /** Created for the first policy that uses the path. */
    private @Nullable PathNormalizer path;

    private @Nullable PolicyChain chain;
    private @Nullable RoutedRequest request;
    private byte[] client = {};
    private long[] marks = {};
    private Identity identity = Identity.UNKNOWN;
    /** A refusal or a direct response. */
    private @Nullable PolicyDecision response;

    private @Nullable NamedPolicy answeredBy;
    private @Nullable NamedPolicy wouldAnswer;
    private @Nullable CompletableFuture<? extends Continuation> pending;
    private int requestLinesBefore;
    private int responseLinesBefore;
    private int defaultLinesBefore;
    private Identity identityBefore = Identity.UNKNOWN;
    /** The step of the policy that may change the response. */
    private int responseStep = NO_STEP;

    private int responseStepBefore = NO_STEP;
    private long firstByteNanos = NO_RESPONSE;
    private boolean tunnel;
    private boolean backendFailure;
    private boolean fallback;
    private boolean fallbackBefore;
    /** Number of the policies that have passed. */
    private int passed;
    /** Changes whenever a pending decision becomes obsolete. */
    private int ticket;

    /** @param tls returns the TLS session of the client's connection */
    public PolicyExchange(Worker worker, Supplier<TlsSessionInfo> tls, Owner owner) {
        this.worker = worker;
        this.tls = tls;
        this.owner = owner;
    }

    /**
     * Evaluates the policies of a request.
     *
     * @param address the client's address, 4 or 16 bytes
     */
    public Outcome begin(PolicyChain policies, RoutedRequest head, byte[] address) {
        chain = policies;
        request = head;
        client = address;
        if (marks.length < policies.length()) {
            marks = new long[policies.length()];
        }
        requestLines.clear();
        responseLines.clear();
        defaultLines.clear();
        identity = Identity.UNKNOWN;
        responseStep = NO_STEP;
        response = null;
        answeredBy = null;
        wouldAnswer = null;
        firstByteNanos = NO_RESPONSE;
        tunnel = false;
        backendFailure = false;
        fallback = false;
        passed = 0;
        return evaluate(policies);
    }

    private Outcome evaluate(PolicyChain policies) {
        while (passed < policies.length()) {
            NamedPolicy step = policies.step(passed);
            startLines();
            PolicyDecision decision = evaluate(step.policy());
            if (decision instanceof PendingDecision waiting) {
                await(waiting.decision());
                return Outcome.PENDING;
            }
            if (!apply(step, decision)) {
                return Outcome.ANSWERED;
            }
        }
        return Outcome.PASSED;
    }

    /** Applies a decision; false if it ends the evaluation. */
    private boolean apply(NamedPolicy step, PolicyDecision decision) {
        boolean passes = decision instanceof PolicyDecision.Pass;
        step.counters().shard(worker.index()).increment(counter(step, decision));
        if (step.dryRun()) {
            dropLines();
            wouldAnswer = passes || wouldAnswer != null ? wouldAnswer : step;
        } else if (!passes) {
            response = decision;
            answeredBy = step;
            return false;
        }
        passed++;
        return true;
    }

    private static PolicyCounter counter(NamedPolicy step, PolicyDecision decision) {
        if (decision instanceof PolicyDecision.Pass) {
            return PolicyCounter.PASSED;
        }
        if (decision instanceof Refusal refusal && refusal.undecided()) {
            return PolicyCounter.FAILED;
        }
        if (step.dryRun()) {
            return PolicyCounter.WOULD_REFUSE;
        }
        return decision instanceof Refusal ? PolicyCounter.REFUSED : PolicyCounter.ANSWERED;
    }

    /** Remembers the header lines and the identity before a policy, for {@link #dropLines}. */
    private void startLines() {
        requestLinesBefore = requestLines.length();
        responseLinesBefore = responseLines.length();
        defaultLinesBefore = defaultLines.length();
        identityBefore = identity;
        fallbackBefore = fallback;
        responseStepBefore = responseStep;
    }

    /** Removes what a policy with {@code dry_run} has added. */
    private void dropLines() {
        requestLines.truncate(requestLinesBefore);
        responseLines.truncate(responseLinesBefore);
        defaultLines.truncate(defaultLinesBefore);
        identity = identityBefore;
        fallback = fallbackBefore;
        responseStep = responseStepBefore;
    }

    private void await(CompletableFuture<? extends Continuation> decision) {
        int current = ++ticket;
        pending = decision;
        request = null; // its bytes are only valid during the evaluation
        ScheduledFuture<?> limit =
                worker.eventLoop().schedule(() -> giveUp(decision), MAX_PENDING_SECONDS, TimeUnit.SECONDS);
        decision.whenComplete((result, failure) -> {
            limit.cancel(/* mayInterruptIfRunning= */ false);
            worker.eventLoop().execute(() -> resume(current, result));
        });
    }

    private static void giveUp(CompletableFuture<? extends Continuation> decision) {
        decision.completeExceptionally(new TimeoutException("no decision for " + MAX_PENDING_SECONDS + " s"));
    }

    private void resume(int number, @Nullable Continuation result) {
        PolicyChain policies = chain;
        if (number != ticket || policies == null) {
            return;
        }
        pending = null;
        request = owner.restoreRequest();
        PolicyDecision decision = result == null ? UNAVAILABLE : decide(result);
        if (decision instanceof PendingDecision again) {
            await(again.decision());
            return;
        }
        boolean continues = apply(policies.step(passed), decision);
        Outcome outcome = continues ? evaluate(policies) : Outcome.ANSWERED;
        if (outcome != Outcome.PENDING) {
            owner.policiesDecided(outcome);
        }
    }

    private PolicyDecision evaluate(Policy policy) {
        try {
            return policy.evaluate(this, passed);
        } catch (RuntimeException e) {
            return UNAVAILABLE; // counted as a failure of the policy
        }
    }

    private PolicyDecision decide(Continuation continuation) {
        try {
            return continuation.decide(this, passed);
        } catch (RuntimeException e) {
            return UNAVAILABLE; // counted as a failure of the policy
        }
    }

    /**
     * Cancels a pending decision, because the request ends. If it has passed just before on another thread, the policy
     * counts as passed, so that {@link Policy#ended} can undo what the policy has counted.
     */
    public void cancel() {
        ticket++;
        CompletableFuture<? extends Continuation> obsolete = pending;
        if (obsolete != null) {
            pending = null;
            if (!obsolete.cancel(/* mayInterruptIfRunning= */ false) && hasPassed(obsolete)) {
                passed++;
            }
        }
    }

    private static boolean hasPassed(CompletableFuture<? extends Continuation> decision) {
        return !decision.isCompletedExceptionally() && decision.getNow(null) instanceof PolicyDecision.Pass;
    }

    /**
     * Notifies the policies that the request has ended. Does nothing if the request had no policies.
     *
     * @param status the status of its response; 0 for none
     * @param untilFirstByte see {@link #firstByteNanos}
     * @param wasTunnel see {@link #isTunnel}
     * @param failure the failure of the request; null for none
     */
    public void end(int status, long untilFirstByte, boolean wasTunnel, @Nullable Failure failure) {
        PolicyChain ending = chain;
        if (ending == null) {
            return;
        }
        cancel();
        chain = null;
        firstByteNanos = untilFirstByte;
        tunnel = wasTunnel;
        backendFailure =
                failure != null && (failure.source() == Failure.Source.BACKEND || failure == Failure.EXCHANGE_TIMEOUT);
        requestLines.clear();
        responseLines.clear();
        defaultLines.clear();
        if (ending.observesEnd()) {
            for (int step = 0; step < passed; step++) {
                Policy policy = ending.step(step).policy();
                if (policy.observesEnd()) {
                    policy.ended(this, step, status);
                }
            }
        }
        request = null;
    }

    /** Whether the current request has policies. */
    public boolean isActive() {
        return chain != null;
    }

    // ---- for policies

    /** The request; only valid during {@link Policy#evaluate}. */
    public RoutedRequest request() {
        return requireNonNull(request);
    }

    /**
     * Appends the path of the request in the normal form that routes compare, without its query. Other spellings of a path
     * have the same normal form. Only valid while {@link #request} is.
     */
    public void appendPath(ByteAppender target) {
        PathNormalizer normalizer = path;
        if (normalizer == null) {
            normalizer = new PathNormalizer();
            path = normalizer;
        }
        RoutedRequest head = request();
        normalizer.normalize(
                head.bytes(),
                head.pathStart(),
                head.pathEnd(),
                PathNormalizer.ENCODED_SLASH | PathNormalizer.BACKSLASH);
        target.append(normalizer.bytes(), normalizer.from(), normalizer.to());
    }

    /** The client's address, 4 or 16 bytes; must not be modified. */
    public byte[] client() {
        return client;
    }

    public TlsSessionInfo tls() {
        return tls.get();
    }

    /** The loop's clock in nanoseconds; see {@link System#nanoTime}. */
    public long now() {
        return worker.now();
    }

    /**
     * Returns a decision that becomes known after a time. If the client disconnects before, its future is cancelled.
     *
     * @param nanos the time in nanoseconds, at least 0
     */
    public PendingDecision after(long nanos, PolicyDecision decision) {
        return new PendingDecision(later(nanos, decision));
    }

    /**
     * Returns a future for a {@link PendingDecision} that completes after a time, unless another thread has completed it
     * before. If the client disconnects before, it is cancelled.
     *
     * @param nanos the time in nanoseconds, at least 0
     * @param atEnd decides after the time
     */
    public CompletableFuture<Continuation> later(long nanos, Continuation atEnd) {
        CompletableFuture<Continuation> later = new CompletableFuture<>();
        ScheduledFuture<?> timer =
                worker.eventLoop().schedule(() -> later.complete(atEnd), nanos, TimeUnit.NANOSECONDS);
        later.whenComplete((result, failure) -> timer.cancel(/* mayInterruptIfRunning= */ false));
        return later;
    }

    /** The header lines that the backend receives in addition, each with its line end. */
    public ByteAppender requestLines() {
        return requestLines;
    }

    /** The header lines that are added to the response, each with its line end. */
    public ByteAppender responseLines() {
        return responseLines;
    }

    /**
     * The header lines that are added to the response unless it already has a line of the same name, from the backend,
     * from a header rule or from an earlier policy. Each has its line end.
     */
    public ByteAppender defaultLines() {
        return defaultLines;
    }

    /** A scratch buffer; its content is undefined after a policy returns. */
    public ByteAppender scratch() {
        return scratch;
    }

    /** The authenticated identity; {@link Identity#UNKNOWN} for none. */
    public Identity identity() {
        return identity;
    }

    public void setIdentity(Identity found) {
        identity = found;
    }

    /**
     * Asks for a call of {@link ResponsePolicy#respond} with the response of the backend. If several policies of a request
     * ask, the last one is called.
     *
     * @param step the step of the calling policy
     */
    public void awaitResponse(int step) {
        responseStep = step;
    }

    /** The index of the event loop, for state that each loop has of its own. */
    public int loop() {
        return worker.index();
    }

    /** A text that identifies the route of the request among the routes of all listeners; must not be modified. */
    public byte[] route() {
        return requireNonNull(chain).route();
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
     * Whether the request failed because of its pool: no backend was usable or reachable, it did not respond in time, or
     * its response broke off. Only valid during {@link Policy#ended}.
     */
    public boolean isBackendFailure() {
        return backendFailure;
    }

    /** Whether the policy at this index is evaluated without effect, so that it must not delay the request. */
    public boolean isDryRun(int step) {
        return requireNonNull(chain).step(step).dryRun();
    }

    /** Sends the request to the fallback pool of its route, if it has one, instead of the route's pool. */
    public void useFallback() {
        fallback = true;
    }

    /** Whether the request goes to the fallback pool of its route. */
    public boolean usesFallback() {
        return fallback;
    }

    // ---- for the owner

    /** Whether a policy of the current request may change the response of the backend. */
    public boolean changesResponse() {
        return chain != null && responseStep != NO_STEP;
    }

    /**
     * Lets a policy change the response of the backend. Must only be called if {@link #changesResponse}.
     *
     * @return changes the body, and is owned by the caller; null to forward it unchanged
     */
    public @Nullable BodyTransform respond(ResponseEdit edit) {
        ResponsePolicy policy =
                (ResponsePolicy) requireNonNull(chain).step(responseStep).policy();
        return policy.respond(this, responseStep, edit);
    }

    /** The response of the outcome {@link Outcome#ANSWERED}: a {@link Refusal} or a {@link DirectResponse}. */
    public PolicyDecision response() {
        return requireNonNull(response);
    }

    /** The name of the policy that answered the request; empty if no policy did. */
    public String answeredBy() {
        return answeredBy == null ? "" : answeredBy.name();
    }

    /** The name of the first policy with {@code dry_run} that would have answered the request; empty for none. */
    public String wouldAnswer() {
        return wouldAnswer == null ? "" : wouldAnswer.name();
    }

    /** Whether the connection closes after the response. */
    public boolean closes() {
        return response instanceof Refusal refusal && refusal.closes();
    }

    /** The failure of a refused request. */
    public Failure failure() {
        boolean undecided = response instanceof Refusal refusal && refusal.undecided();
        return undecided ? Failure.POLICY_FAILED : Failure.POLICY_REFUSED;
    }
}
