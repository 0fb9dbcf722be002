package io.ballast.policy.filter.call;

/** Thrown when a call was not started. The exception has no stack trace, because it is thrown under load. */
public final class CallRefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final CallOutcome outcome;

    CallRefusedException(CallOutcome outcome) {
        super(outcome.label(), /* cause= */ null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.outcome = outcome;
    }

    /** The reason why the call was not started. */
    public CallOutcome outcome() {
        return outcome;
    }
}
