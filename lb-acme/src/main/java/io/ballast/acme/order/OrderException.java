package io.ballast.acme.order;

import java.time.Instant;
import java.util.Optional;

/** An order failed. The message gives the reason. */
public final class OrderException extends Exception {

    private static final long serialVersionUID = 1;

    private final transient Optional<Instant> retryAfter;

    public OrderException(String message, Throwable cause) {
        this(message, Optional.empty(), cause);
    }

    public OrderException(String message) {
        super(message);
        this.retryAfter = Optional.empty();
    }

    /** @param retryAfter the time before which the certificate authority accepts no order, if it said so */
    public OrderException(String message, Optional<Instant> retryAfter, Throwable cause) {
        super(message, cause);
        this.retryAfter = retryAfter;
    }

    /** The time before which the certificate authority accepts no order; empty if it did not say so. */
    public Optional<Instant> retryAfter() {
        return retryAfter;
    }
}
