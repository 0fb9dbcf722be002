package io.ballast.core.watchdog;

import org.jspecify.annotations.Nullable;

/**
 * A serving thread that ended or hangs without having been stopped.
 *
 * @param thread its name
 * @param reason a description without the name: "ended by java.lang.OutOfMemoryError: ...", "has not turned for 10 s"
 * @param cause the exception, or the stack of a hanging thread; null if unknown
 */
public record ThreadFailure(
        String thread, String reason, @Nullable Throwable cause) {

    /** Describes the failure for operators. */
    public String text() {
        return "thread " + thread + " " + reason;
    }
}
