package io.ballast.policy.filter.call;

import java.util.Locale;

/** The outcomes of calls of a filter; the name in lower case is the label of the metric. */
public enum CallOutcome {
    /** The filter decided in time. */
    OK,
    /** The filter threw an exception, or returned a failed stage or null. */
    ERROR,
    /** The filter did not decide before the deadline. */
    TIMEOUT,
    /** All threads were busy and the queue was full. */
    QUEUE_FULL,
    /** All threads are occupied by calls that did not end after their deadline. */
    STUCK,
    /** The request ended before the filter decided. */
    CANCELLED;

    /** The label of the metric. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
