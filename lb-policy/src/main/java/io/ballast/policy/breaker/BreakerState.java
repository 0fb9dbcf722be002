package io.ballast.policy.breaker;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A state of a circuit breaker, from one transition to the next. The counters of probes may be used by all threads.
 *
 * @param generation the number of the state; requests of earlier states do not count
 * @param until when the circuit breaker lets probes pass, if it is open; when it lets further probes pass if the first ones
 *     have not ended, if it is half-open
 * @param openings how often it has opened since it was closed
 * @param window the outcomes while it is closed; null in other states
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
