package io.ballast.discovery.remote;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Computes the delay until the next query of a source: at least {@link #MIN}, and longer while the source fails. Jitter
 * prevents several load balancers from retrying at the same time.
 *
 * <p>Thread safety: confined to the thread of its source; each source has its own instance.
 */
public final class Pacing {

    /** The minimum time between the starts of two consecutive rounds of requests. */
    public static final Duration MIN = Duration.ofMillis(500);

    /** Maximum delay after a failure. */
    public static final Duration MAX_AFTER_FAILURE = Duration.ofSeconds(30);

    /**
     * The upper bound of the first delay after a failure; the lower bound is half of it. Each further failure
     * doubles both bounds.
     */
    private static final Duration FIRST_AFTER_FAILURE = Duration.ofSeconds(2);

    private static final int MAX_DOUBLINGS = 10;

    private final SourceTime time;
    private final RandomGenerator random;
    private int failures;

    public Pacing(SourceTime time, RandomGenerator random) {
        this.time = time;
        this.random = random;
    }

    /** Returns an instance that uses the clock of this machine. */
    public static Pacing ofSystem() {
        return new Pacing(SourceTime.ofSystem(), new SplittableRandom());
    }

    /** Resets the backoff after a success. */
    public void resetBackoff() {
        failures = 0;
    }

    /** Returns a random time between half of {@code max} and {@code max}. */
    public Duration jittered(Duration max) {
        long half = max.toNanos() / 2;
        return Duration.ofNanos(half + random.nextLong(half + 1));
    }

    /** Waits for {@code wait}. A source calls this in the middle of a round. */
    public void pause(Duration wait) throws InterruptedException {
        time.pause(wait);
    }

    long nanoTime() {
        return time.nanoTime();
    }

    /** Waits after a failure: 1 s to 2 s after the first failure, up to 15 s to 30 s after repeated failures. */
    void pauseAfterFailure() throws InterruptedException {
        Duration max = FIRST_AFTER_FAILURE.multipliedBy(1L << Math.min(failures, MAX_DOUBLINGS));
        failures++;
        time.pause(jittered(max.compareTo(MAX_AFTER_FAILURE) > 0 ? MAX_AFTER_FAILURE : max));
    }

    /** Waits for {@code wait}, but at least until {@link #MIN} has elapsed since the start of the round. */
    void pauseAfter(long beganNanos, Duration wait) throws InterruptedException {
        Duration left = MIN.minusNanos(time.nanoTime() - beganNanos);
        Duration longer = wait.compareTo(left) > 0 ? wait : left;
        if (longer.compareTo(Duration.ZERO) > 0) {
            time.pause(longer);
        }
    }
}
