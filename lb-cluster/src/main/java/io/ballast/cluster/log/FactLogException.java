package io.ballast.cluster.log;

import org.jspecify.annotations.Nullable;

/** Thrown if a log cannot be opened, if a command was not accepted, or if the outcome of a command is unknown. */
public final class FactLogException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean outcomeUnknown;

    FactLogException(String message) {
        this(message, null);
    }

    FactLogException(String message, @Nullable Throwable cause) {
        this(message, cause, /* outcomeUnknown= */ false);
    }

    private FactLogException(String message, @Nullable Throwable cause, boolean outcomeUnknown) {
        super(message, cause);
        this.outcomeUnknown = outcomeUnknown;
    }

    static FactLogException outcomeUnknown(String reason, @Nullable Throwable cause) {
        return new FactLogException("the outcome is unknown: " + reason, cause, /* outcomeUnknown= */ true);
    }

    /**
     * Whether the command may have been committed or may still be committed. If false, the command was not committed
     * and never will be.
     */
    public boolean isOutcomeUnknown() {
        return outcomeUnknown;
    }
}
