package io.ballast.dns.forward.validate;

/** The time for an examination is over. Without a stack trace, since it is no fault of the code. */
final class OverdueException extends RuntimeException {

    private static final long serialVersionUID = 1;

    OverdueException() {
        super("overdue", /* cause= */ null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    }
}
