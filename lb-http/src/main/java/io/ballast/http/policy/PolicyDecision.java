package io.ballast.http.policy;

/** The result of a policy for one request. */
public sealed interface PolicyDecision extends Continuation
        permits PolicyDecision.Pass, Refusal, DirectResponse, LocalResponse, PendingDecision {

    @Override
    default PolicyDecision decide(PolicyExchange exchange, int step) {
        return this;
    }

    /** The request passes; the next policy is evaluated. */
    Pass PASS = new Pass();

    /** The type of {@link #PASS}. */
    final class Pass implements PolicyDecision {
        private Pass() {}
    }
}
