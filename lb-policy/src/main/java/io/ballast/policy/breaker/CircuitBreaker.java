package io.ballast.policy.breaker;

import static java.util.Objects.requireNonNull;

import io.ballast.core.DurationText;
import io.ballast.core.config.CircuitBreakerConfig;
import io.ballast.policy.breaker.BreakerState.Kind;
import io.ballast.policy.breaker.OutcomeWindow.Counts;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Decides whether requests may go to a pool:
 *
 * <pre>
 *            too many failures, or slow                       time over
 *   CLOSED ─────────────────────────────► OPEN ──────────────────────────► HALF_OPEN
 *      ▲                                    ▲        a probe fails             │ │
 *      │                                    └──────────────────────────────────┘ │
 *      └─────────────────────────────────────────────────────────────────────────┘
 *                                  all probes succeed
 * </pre>
 *
 * <p>Each failed round of probes doubles the time until the next round. If the probes do not end within that time, for
 * example because they are streams, further probes may pass.
 *
 * <p>Thread safety: all methods may be called concurrently, without locks. Cost: a request that passes reads one
 * volatile field; allocates only for transitions and failures.
 */
final class CircuitBreaker {

    /** The result of {@link #tryPass} for a request that must not pass. */
    static final long REFUSED = 0;

    private static final long FIRST_GENERATION = 1;
    /** After this number of doublings, every configured time has reached its maximum. */
    private static final int MAX_DOUBLINGS = 30;

    private final CircuitBreakerConfig config;
    private final long windowNanos;
    private final int slowPercent;
    private final Consumer<Transition> onTransition;
    private final AtomicReference<BreakerState> state;

    /**
     * A change of the state.
     *
     * @param isProblem whether the circuit breaker has opened
     * @param text a sentence about the change without a full stop
     */
    record Transition(boolean isProblem, String text) {}

    /**
     * Creates a closed circuit breaker.
     *
     * @param now the current time; see {@link System#nanoTime}
     * @param onTransition called by the thread that changes the state; must not block
     */
    CircuitBreaker(CircuitBreakerConfig config, long now, Consumer<Transition> onTransition) {
        this.config = config;
        this.windowNanos = config.window().toNanos();
        this.slowPercent = config.slow().map(CircuitBreakerConfig.Slow::percent).orElse(0);
        this.onTransition = onTransition;
        this.state = new AtomicReference<>(closed(FIRST_GENERATION, now));
    }

    private BreakerState closed(long generation, long now) {
        return BreakerState.closed(generation, new OutcomeWindow(windowNanos, now));
    }

    /**
     * Lets a request pass, or refuses it.
     *
     * @return a number for {@link #ended}, which must be called once; {@link #REFUSED} if the request must not pass
     */
    long tryPass(long now) {
        while (true) {
            BreakerState current = state();
            if (current.kind() == Kind.CLOSED) {
                return current.generation();
            }
            if (current.kind() == Kind.HALF_OPEN && current.tryProbe(config.probes())) {
                return current.generation();
            }
            if (now - current.until() < 0) {
                return REFUSED;
            }
            change(
                    current,
                    current.halfOpen(now + openTime(current.openings()).toNanos()),
                    /* isProblem= */ false,
                    current.kind() == Kind.OPEN ? "circuit breaker half-open: probes pass" : "");
        }
    }

    /** Returns the nanoseconds until the next probes may pass, at least 0. */
    long remaining(long now) {
        BreakerState current = state();
        return current.kind() == Kind.CLOSED ? 0 : Math.max(0, current.until() - now);
    }

    private BreakerState state() {
        return requireNonNull(state.get());
    }

    /** Whether all requests pass. */
    boolean isClosed() {
        return state().kind() == Kind.CLOSED;
    }

    /**
     * Records the outcome of a request.
     *
     * @param generation the result of {@link #tryPass}
     */
    void ended(long generation, RequestOutcome outcome, long now) {
        BreakerState current = state();
        if (current.generation() != generation) {
            return;
        }
        if (current.kind() == Kind.CLOSED) {
            count(current, outcome, now);
        } else {
            recordProbe(current, outcome, now);
        }
    }

    private void count(BreakerState current, RequestOutcome outcome, long now) {
        if (outcome == RequestOutcome.UNKNOWN) {
            return;
        }
        OutcomeWindow window = requireNonNull(current.window());
        window.add(outcome, now);
        if (outcome == RequestOutcome.SUCCESS) {
            return;
        }
        Counts counts = window.counts(now);
        if (counts.requests() < config.minRequests()) {
            return;
        }
        if (exceeds(counts.failures(), config.errorPercent(), counts.requests())) {
            open(current, now, text(counts.failures(), counts, "failed"));
        } else if (slowPercent > 0 && exceeds(counts.slow(), slowPercent, counts.requests())) {
            open(current, now, text(counts.slow(), counts, "were slow"));
        }
    }

    private static boolean exceeds(long part, int percent, long whole) {
        return part * 100 >= whole * percent;
    }

    private String text(long part, Counts counts, String what) {
        return part + " of " + counts.requests() + " requests " + what + " within " + DurationText.of(config.window());
    }

    private void recordProbe(BreakerState current, RequestOutcome outcome, long now) {
        switch (outcome) {
            case SUCCESS -> {
                if (current.successes().incrementAndGet() >= config.probes()) {
                    change(
                            current,
                            closed(current.generation() + 1, now),
                            /* isProblem= */ false,
                            "circuit breaker closed: all probes have succeeded");
                }
            }
            case FAILURE -> open(current, now, "a probe has failed");
            case SLOW -> open(current, now, "a probe was slow");
            case UNKNOWN -> current.probes().decrementAndGet(); // another request may become the probe
        }
    }

    private void open(BreakerState current, long now, String why) {
        Duration time = openTime(current.openings() + 1);
        String text = "circuit breaker open for " + DurationText.of(time) + ": " + why;
        change(current, current.open(now + time.toNanos()), /* isProblem= */ true, text);
    }

    /** Returns how long the circuit breaker is open after a number of openings. */
    private Duration openTime(int openings) {
        long factor = 1L << Math.min(Math.max(0, openings - 1), MAX_DOUBLINGS);
        Duration time = config.open().multipliedBy(factor);
        return time.compareTo(config.maxOpen()) < 0 ? time : config.maxOpen();
    }

    private void change(BreakerState from, BreakerState to, boolean isProblem, String text) {
        if (state.compareAndSet(from, to) && !text.isEmpty()) {
            onTransition.accept(new Transition(isProblem, text));
        }
    }
}
