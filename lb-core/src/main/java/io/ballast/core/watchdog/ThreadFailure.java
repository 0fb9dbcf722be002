package io.ballast.core.watchdog;

import org.jspecify.annotations.Nullable;

/**
 * A thread that serves has ended or hangs, and was not stopped.
 *
 * @param thread its name
 * @param reason in words, without the name: "ended by java.lang.OutOfMemoryError: ...", "has not turned for 10 s"
 * @param cause what ended it, or where it hangs; null if neither is known
 */
public record ThreadFailure(
        String thread, String reason, @Nullable Throwable cause) {

    /** Describes the failure for operators. */
    public String text() {
        return "thread " + thread + " " + reason;
    }
}
