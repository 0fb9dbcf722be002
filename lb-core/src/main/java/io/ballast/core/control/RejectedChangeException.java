package io.ballast.core.control;

/**
 * A change conflicts with another one, and has no effect. The message gives the reason and is shown to the user. Has no
 * stack trace.
 */
public final class RejectedChangeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RejectedChangeException(String message) {
        super(message, /* cause= */ null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    }
}
