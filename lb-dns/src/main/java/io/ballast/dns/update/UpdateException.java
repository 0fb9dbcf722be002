package io.ballast.dns.update;

/** Thrown when an update fails; the response code is the reason (RFC 2136 section 2.2). */
final class UpdateException extends Exception {

    private static final long serialVersionUID = 1;

    private final int rcode;

    UpdateException(int rcode) {
        super("code " + rcode, /* cause= */ null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.rcode = rcode;
    }

    int rcode() {
        return rcode;
    }
}
