package io.ballast.policy.filter.call;

/** A call was not started. Has no stack trace, because it is thrown under load. */
public final class CallRefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final CallOutcome outcome;

    CallRefusedException(CallOutcome outcome) {
        super(outcome.label(), /* cause= */ null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.outcome = outcome;
    }

    /** Why the call was not started. */
    public CallOutcome outcome() {
        return outcome;
    }
}
