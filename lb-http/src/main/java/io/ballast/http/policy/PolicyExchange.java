package io.ballast.http.policy;

import static java.util.Objects.requireNonNull;

import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.http.transform.BodyTransform;
import io.ballast.http.transform.ResponseEdit;
import io.ballast.net.tls.TlsSessionInfo;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the policies of a request. {@link PolicyRequest} contains the input and the results of the policies. One
 * object serves all requests of an HTTP/1.1 connection, or all requests of an HTTP/2 stream object, in sequence.
 * Event-loop confined.
 */
public final class PolicyExchange extends PolicyRequest {

    private static final int FIRST_ERROR = 400;

    /** Refuses a request that a policy could not evaluate. */
    private static final Refusal UNAVAILABLE = Refusal.undecided("policy_failed");

    /** Owns the evaluated request: supplies its head and its body, and continues it after a pending decision. */
    public interface Owner {

        /** Makes the head of the waiting request readable again, and returns it. */
        RoutedRequest restoreRequest();

        /** Reads the body of the current request for a policy. Called during an evaluation. */
        void readBody(BodyRead read);

        /**
         * Composes the head that a backend of the request's route would get. Called while the head is readable.
         *
         * @return null if the route selects no backend
         */
        default @Nullable BackendRequest composeRequest() {
            return null;
        }

        /** Called once all policies have decided. */
        void policiesDecided(Outcome outcome);
    }

    /** The result of a chain. */
    public enum Outcome {
        PASSED,
        /** A policy answers the request: {@link #answer} contains the response. */
        ANSWERED,
        /**
         * At least one policy has not decided yet. {@link Owner#policiesDecided} is called later, unless {@link
         * #cancel} is called.
         */
        PENDING
    }

    private final DecisionWait wait;
    private final PolicyAnswer answer = new PolicyAnswer();
    /** The number of policies that have let the current request pass. */
    private int passed;

    /** Creates the evaluation for a connection that no trusted proxy has opened. */
    public PolicyExchange(Worker worker, Supplier<TlsSessionInfo> tls, Owner owner) {
        this(worker, tls, /* behindProxy= */ false, owner);
    }

    /**
     * @param tls returns the TLS session of the client's connection
     * @param behindProxy whether a trusted proxy has opened the connection
     */
    public PolicyExchange(Worker worker, Supplier<TlsSessionInfo> tls, boolean behindProxy, Owner owner) {
        super(worker, tls, behindProxy, owner);
        this.wait = new DecisionWait(worker, this::decided);
    }

    /**
     * Evaluates the policies of a request.
     *
     * @param address the client's address, 4 or 16 bytes
     */
    public Outcome begin(PolicyChain policies, RoutedRequest head, byte[] address) {
        beginRequest(policies, head, address);
        answer.begin();
        passed = 0;
        return evaluate(policies);
    }

    private Outcome evaluate(PolicyChain policies) {
        while (passed < policies.length()) {
            NamedPolicy step = policies.step(passed);
            effects.mark();
            PolicyDecision decision = evaluate(step.policy(), passed);
            if (decision instanceof PendingDecision waiting) {
                await(waiting);
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
        byte[][] shared = requireNonNull(chain).sharedHeaders(passed);
        if (shared != null && !step.dryRun()) {
            effects.replaceEarlierLines(shared);
        }
        step.counters().shard(worker.index()).increment(counter(step, decision));
        if (!passes) {
            record(step, decision);
        }
        if (step.dryRun()) {
            effects.undo();
            if (!passes) {
                answer.setWouldAnswer(step);
                cancelIfLocal(decision);
            }
        } else if (!passes) {
            answer.set(step, decision);
            if (answer.isLocal()) {
                evaluateResponsePhase();
            }
            return false;
        }
        passed++;
        return true;
    }

    /** Records a refusal, and an answer with an error status, such as the 401 of an authentication service. */
    private void record(NamedPolicy step, PolicyDecision decision) {
        int status = PolicyAnswer.status(decision);
        if (status >= FIRST_ERROR && step.refusals().accepts(now())) {
            step.refusals().add(RecentRefusal.of(this, status, PolicyAnswer.reason(decision), step.dryRun()));
        }
    }

    /** Evaluates the policies that change responses for a request that an earlier policy has answered. */
    private void evaluateResponsePhase() {
        PolicyChain policies = requireNonNull(chain);
        for (int step = passed + 1; step < policies.length(); step++) {
            if (policies.isInResponsePhase(step)) {
                NamedPolicy named = policies.step(step);
                effects.mark();
                PolicyDecision decision = evaluate(named.policy(), step);
                named.counters().shard(worker.index()).increment(counter(named, decision));
                cancelIfLocal(decision);
                if (named.dryRun() || !(decision instanceof PolicyDecision.Pass)) {
                    effects.undo();
                }
            }
        }
    }

    private static void cancelIfLocal(PolicyDecision decision) {
        if (decision instanceof LocalResponse unused) {
            unused.source().cancel();
        }
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

    private void await(PendingDecision decision) {
        request = null; // the bytes of the request are only valid during the evaluation
        wait.begin(decision);
    }

    private void decided(@Nullable Continuation result) {
        PolicyChain policies = requireNonNull(chain);
        request = owner.restoreRequest();
        PolicyDecision decision = result == null ? UNAVAILABLE : decide(result);
        if (decision instanceof PendingDecision again) {
            await(again);
            return;
        }
        boolean continues = apply(policies.step(passed), decision);
        Outcome outcome = continues ? evaluate(policies) : Outcome.ANSWERED;
        if (outcome != Outcome.PENDING) {
            owner.policiesDecided(outcome);
        }
    }

    private PolicyDecision evaluate(Policy policy, int step) {
        try {
            return policy.evaluate(this, step);
        } catch (RuntimeException e) {
            return UNAVAILABLE; // the exception counts as a failure of the policy
        }
    }

    private PolicyDecision decide(Continuation continuation) {
        try {
            return continuation.decide(this, passed);
        } catch (RuntimeException e) {
            return UNAVAILABLE; // the exception counts as a failure of the policy
        }
    }

    /**
     * Cancels a pending decision, because the request ends. If another thread has just decided that the request passes,
     * the policy counts as passed, so that {@link Policy#ended} can undo its counts.
     */
    public void cancel() {
        if (wait.cancel()) {
            passed++;
        }
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
        endRequest(untilFirstByte, wasTunnel, failure);
        if (ending.observesEnd()) {
            notifyEnd(ending, status);
        }
        answer.end();
        forgetRequest();
    }

    private void notifyEnd(PolicyChain ending, int status) {
        int evaluated = answer.isLocal() ? ending.length() : passed;
        for (int step = 0; step < evaluated; step++) {
            Policy policy = ending.step(step).policy();
            boolean hasPassed = step < passed || (step > passed && ending.isInResponsePhase(step));
            if (hasPassed && policy.observesEnd()) {
                policy.ended(this, step, status);
            }
        }
    }

    /** Whether the current request has policies. */
    public boolean isActive() {
        return chain != null;
    }

    /** Returns the receiver of a copy of the current request; null if no policy copies the request. */
    public @Nullable RequestCopy requestCopy() {
        return effects.requestCopy;
    }

    /** Whether a policy of the current request may change the response of the backend. */
    public boolean changesResponse() {
        return chain != null && effects.responders.count() > 0;
    }

    /** Prepares the changes of a response; returns the number of policies that may change it. */
    public int beginResponse() {
        ResponseSteps responders = effects.responders;
        if (responders.count() > 1) {
            responders.sort(requireNonNull(chain));
        }
        return responders.count();
    }

    /**
     * Lets a policy start to evaluate a response; see {@link ResponsePolicy#prepare}.
     *
     * @param index from 0 to the result of {@link #beginResponse}, exclusive
     */
    public @Nullable CompletableFuture<?> prepareResponse(int index, ResponseEdit edit) {
        int step = effects.responders.step(index);
        ResponsePolicy policy =
                (ResponsePolicy) requireNonNull(chain).step(step).policy();
        return policy.prepare(this, step, edit);
    }

    /**
     * Lets a policy change the response of the backend.
     *
     * @param index from 0 to the result of {@link #beginResponse}, exclusive
     * @return the transform that changes the body, owned by the caller; null to forward the body unchanged
     */
    public @Nullable BodyTransform respond(int index, ResponseEdit edit) {
        int step = effects.responders.step(index);
        ResponsePolicy policy =
                (ResponsePolicy) requireNonNull(chain).step(step).policy();
        return policy.respond(this, step, edit);
    }

    /**
     * The answer of the policies. Defined only after the outcome {@link Outcome#ANSWERED}, except for the names of
     * policies.
     */
    public PolicyAnswer answer() {
        return answer;
    }
}
