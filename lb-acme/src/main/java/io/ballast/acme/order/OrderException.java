package io.ballast.acme.order;

import java.time.Instant;
import java.util.Optional;

/** Thrown when an order failed. The message gives the reason. */
public final class OrderException extends Exception {

    private static final long serialVersionUID = 1;

    /** The kind of failure. It decides whether another certificate authority (CA) is tried immediately. */
    public enum Kind {
        /**
         * The CA refuses the order, or this process cannot complete it. Also used for any reason that has no kind of
         * its own.
         */
        REFUSED,
        /** The CA cannot be reached. */
        UNREACHABLE,
        /** The CA has not verified the name. A later order at the same CA may succeed. */
        NOT_VERIFIED
    }

    private final Kind kind;
    private final transient Optional<Instant> retryAfter;

    public OrderException(String message, Throwable cause) {
        this(message, Kind.REFUSED, cause);
    }

    public OrderException(String message, Kind kind, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.retryAfter = Optional.empty();
    }

    public OrderException(String message) {
        this(message, Kind.REFUSED);
    }

    public OrderException(String message, Kind kind) {
        super(message);
        this.kind = kind;
        this.retryAfter = Optional.empty();
    }

    /** @param retryAfter the time before which the certificate authority accepts no order, if it has specified one */
    public OrderException(String message, Optional<Instant> retryAfter, Throwable cause) {
        super(message, cause);
        this.kind = Kind.REFUSED;
        this.retryAfter = retryAfter;
    }

    public Kind kind() {
        return kind;
    }

    /** The time before which the certificate authority accepts no order; empty if it has not specified one. */
    public Optional<Instant> retryAfter() {
        return retryAfter;
    }
}
