package io.ballast.policy.breaker;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A state of a circuit breaker; each transition creates a new one. The counters of probes may be used by all threads.
 *
 * @param generation the number of the state; requests of earlier states do not count
 * @param until the time from which probes pass while the circuit breaker is open; while it is half-open, the time from
 *     which further probes pass if the first ones have not ended
 * @param openings how often the circuit breaker has opened since it was last closed
 * @param window the outcomes while the circuit breaker is closed; null in other states
 */
record BreakerState(
        Kind kind,
        long generation,
        long until,
        int openings,
        @Nullable OutcomeWindow window,
        AtomicInteger probes,
        AtomicInteger successes) {

    enum Kind {
        /** All requests pass. */
        CLOSED,
        /** No request passes. */
        OPEN,
        /** A few requests pass, as probes. */
        HALF_OPEN
    }

    static BreakerState closed(long generation, OutcomeWindow window) {
        return new BreakerState(
                Kind.CLOSED, generation, 0, /* openings= */ 0, window, new AtomicInteger(), new AtomicInteger());
    }

    BreakerState open(long until) {
        return next(Kind.OPEN, until, openings + 1);
    }

    BreakerState halfOpen(long until) {
        return next(Kind.HALF_OPEN, until, openings);
    }

    private BreakerState next(Kind kind, long until, int openings) {
        return new BreakerState(
                kind, generation + 1, until, openings, /* window= */ null, new AtomicInteger(), new AtomicInteger());
    }

    /** Reserves one of the probes; returns false if none is left. */
    boolean tryProbe(int max) {
        while (true) {
            int before = probes.get();
            if (before >= max) {
                return false;
            }
            if (probes.compareAndSet(before, before + 1)) {
                return true;
            }
        }
    }
}
