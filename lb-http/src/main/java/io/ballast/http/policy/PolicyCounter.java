package io.ballast.http.policy;

import io.ballast.core.stats.LabelledCounter;

/** Counters of a named policy: the outcomes of its evaluations. */
public enum PolicyCounter implements LabelledCounter {
    PASSED("passed"),
    /** Requests that a policy answered with a response of its own, such as a redirect to a login page. */
    ANSWERED("answered"),
    REFUSED("refused"),
    /** Requests that a policy with {@code dry_run} would have refused or answered. */
    WOULD_REFUSE("would_refuse"),
    /** Requests that the policy could not evaluate. They are refused with 503, or with 500 after a filter's error. */
    FAILED("failed");

    private final String label;

    PolicyCounter(String label) {
        this.label = label;
    }

    @Override
    public String label() {
        return label;
    }
}
