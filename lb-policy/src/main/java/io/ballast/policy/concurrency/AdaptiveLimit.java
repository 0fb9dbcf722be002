package io.ballast.policy.concurrency;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Collects the latencies of requests over short periods, and lets a {@link LimitGradient} set the limit after each of
 * them. A period has at least {@value #ENOUGH_SAMPLES} requests and lasts at least twice the latency, so that its requests
 * have seen the current limit; with few requests it lasts longer.
 *
 * <p>The latency of a period is a mean in which no latency counts for more than {@value #MAX_FACTOR} times the usual
 * latency, so that one extreme value hardly changes the mean.
 *
 * <p>Thread safety: all methods may be called concurrently, without locks; one of the calls computes the limit. A sample
 * may count for the next period if it arrives at the end of one. Cost: two atomic additions; allocates nothing.
 */
final class AdaptiveLimit {

    static final int ENOUGH_SAMPLES = 100;
    private static final int FEW_SAMPLES = 20;
    /** A period with few requests lasts at least this many times as long as a normal period. */
    private static final int FEW_SAMPLES_FACTOR = 8;

    private static final long MIN_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long MAX_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** Added to latencies, so that measurement errors of short latencies do not matter. */
    private static final long OFFSET_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    /** A latency counts as at most this many times the usual latency. */
    private static final int MAX_FACTOR = 8;
    /** The limit counts as reached when this percentage of it is in use. */
    private static final int REACHED_PERCENT = 80;

    private static final int FAILURES_SHIFT = Integer.SIZE;

    private final LimitGradient gradient;
    /** The sum of the latencies. */
    private final AtomicLong sum = new AtomicLong();
    /** The number of latencies, and in the upper half the number of failures. */
    private final AtomicLong counts = new AtomicLong();

    private final AtomicBoolean computing = new AtomicBoolean();
    private volatile boolean reached;
    private volatile long highestLatency = Long.MAX_VALUE;
    private volatile long periodEnd;
    private volatile long fewSamplesEnd;
    private volatile int limit;

    /** @param now the current time; see {@link System#nanoTime} */
    AdaptiveLimit(int min, int max, long now) {
        this.gradient = new LimitGradient(min, max);
        this.limit = min;
        begin(now, MIN_PERIOD_NANOS);
    }

    int limit() {
        return limit;
    }

    /** Records how many requests are in flight, including one that may exceed the limit. */
    void inFlight(int requests) {
        if (!reached && requests * 100L >= (long) limit * REACHED_PERCENT) {
            reached = true;
        }
    }

    /**
     * Records a response.
     *
     * @param latencyNanos the time until the head of the response
     */
    void succeeded(long latencyNanos, long now) {
        sum.getAndAdd(Math.min(latencyNanos + OFFSET_NANOS, highestLatency));
        counts.getAndIncrement();
        endPeriodIfDue(now);
    }

    /** Records a request that failed because the backends are overloaded. */
    void failed(long now) {
        counts.getAndAdd(1L << FAILURES_SHIFT);
        endPeriodIfDue(now);
    }

    private void endPeriodIfDue(long now) {
        if (isDue(now) && computing.compareAndSet(false, true)) {
            try {
                if (isDue(now)) {
                    endPeriod(now);
                }
            } finally {
                computing.set(false);
            }
        }
    }

    private boolean isDue(long now) {
        if (now - periodEnd < 0) {
            return false;
        }
        long both = counts.get();
        int requests = (int) both + (int) (both >>> FAILURES_SHIFT);
        return requests >= ENOUGH_SAMPLES || (requests >= FEW_SAMPLES && now - fewSamplesEnd >= 0);
    }

    private void endPeriod(long now) {
        long both = counts.getAndSet(0);
        long nanos = sum.getAndSet(0);
        boolean wasReached = reached;
        reached = false;
        int samples = (int) both;
        double latency = samples == 0 ? 0 : (double) nanos / samples;
        limit = gradient.next(latency, samples, (int) (both >>> FAILURES_SHIFT), wasReached);
        highestLatency = (long) (MAX_FACTOR * Math.max(gradient.baseline(), latency));
        begin(now, Math.min(Math.max((long) (2 * latency), MIN_PERIOD_NANOS), MAX_PERIOD_NANOS));
    }

    private void begin(long now, long nanos) {
        fewSamplesEnd = now + FEW_SAMPLES_FACTOR * nanos;
        periodEnd = now + nanos;
    }
}
