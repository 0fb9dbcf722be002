package io.ballast.cluster.log;

import org.jspecify.annotations.Nullable;

/** A log that cannot be opened, or a command that was not accepted or whose outcome is unknown. */
public final class FactLogException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    FactLogException(String message) {
        this(message, null);
    }

    FactLogException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
