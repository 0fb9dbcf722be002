package io.ballast.dns.secondary.transfer;

import java.io.IOException;

/** Thrown when a primary returns no usable response; the message contains the reason. */
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

    /** Creates the exception for a valid response in which the primary refuses the transfer. */
    static TransferException ofRefusal(String message) {
        return new TransferException(message, /* isRefusal= */ true);
    }

    /** Returns whether the primary does not support the request, so that another kind of request may succeed. */
    public boolean isRefusal() {
        return isRefusal;
    }
}
