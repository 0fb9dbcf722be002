package io.ballast.cluster.log;

import org.jspecify.annotations.Nullable;

/** A log that cannot be opened, or a command that was not accepted or whose outcome is unknown. */
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

    /** True if the command may be committed, now or later; false if it is certain that it is not. */
    public boolean isOutcomeUnknown() {
        return outcomeUnknown;
    }
}
