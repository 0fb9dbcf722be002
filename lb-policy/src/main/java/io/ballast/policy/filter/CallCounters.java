package io.ballast.policy.filter;

import io.ballast.policy.filter.call.CallOutcome;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts the calls of a filter by outcome. Thread safety: all methods may be called concurrently. */
final class CallCounters {

    private static final CallOutcome[] OUTCOMES = CallOutcome.values();

    private final LongAdder[] counts =
            Arrays.stream(OUTCOMES).map(outcome -> new LongAdder()).toArray(LongAdder[]::new);

    void count(CallOutcome outcome) {
        counts[outcome.ordinal()].increment();
    }

    /** The counts by label, in the order of {@link CallOutcome}. */
    Map<String, Long> byLabel() {
        Map<String, Long> counted = new LinkedHashMap<>();
        for (CallOutcome outcome : OUTCOMES) {
            counted.put(outcome.label(), counts[outcome.ordinal()].sum());
        }
        return counted;
    }
}
