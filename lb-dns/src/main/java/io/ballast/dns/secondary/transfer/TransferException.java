package io.ballast.dns.secondary.transfer;

import java.io.IOException;

/** A primary does not tell what it was asked for, or tells what cannot be true; the message says what. */
public final class TransferException extends IOException {

    private static final long serialVersionUID = 1;

    private final boolean isRefusal;

    private TransferException(String message, boolean isRefusal) {
        super(message);
        this.isRefusal = isRefusal;
    }

    static TransferException ofContents(String message) {
        return new TransferException(message, /* isRefusal= */ false);
    }

    /** The primary says no, in good form. */
    static TransferException ofRefusal(String message) {
        return new TransferException(message, /* isRefusal= */ true);
    }

    /** Whether the primary does not do what it was asked for: it may do something else. */
    public boolean isRefusal() {
        return isRefusal;
    }
}
