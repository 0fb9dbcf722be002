package io.ballast.dns.forward.validate;

/**
 * Thrown when the deadline of a validation has passed. It has no stack trace, since it does not indicate a
 * bug.
 */
final class OverdueException extends RuntimeException {

    private static final long serialVersionUID = 1;

    OverdueException() {
        super("overdue", /* cause= */ null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    }
}
