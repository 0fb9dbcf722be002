package io.ballast.core.control;

/**
 * Thrown if a change conflicts with another change; the rejected change has no effect. The message gives the reason and
 * is shown to the user. The exception has no stack trace, because a rejection is a normal result.
 */
public final class RejectedChangeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RejectedChangeException(String message) {
        super(message, /* cause= */ null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    }
}
