package io.ballast.core.pool;

import io.ballast.core.config.RetryBudgetConfig;

/**
 * The number of retries that one event loop may still send for a pool. Each request adds a fraction of a
 * retry; each retry subtracts one. The additions and subtractions expire after {@value #SECONDS} seconds (as
 * in Finagle's <a href="https://twitter.github.io/finagle/guide/Clients.html#retries">retry budgets</a>).
 *
 * <p>Event-loop confined. Cost of a request: one addition.
 */
public final class RetryBudget {

    static final int SECONDS = 10;

    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final long WHOLE = 100;

    private final int percent;
    private final long reserve;
    /** The balance of each of the last seconds, in hundredths of a retry. */
    private final long[] balances = new long[SECONDS];

    private int current;
    private long endNanos;

    /**
     * @param loops number of event loops that share the reserve; each gets at least one retry, unless there is no
     *     reserve
     */
    RetryBudget(RetryBudgetConfig config, int loops, long nowNanos) {
        this.percent = config.percent();
        long share = config.minPerSecond() * WHOLE * SECONDS / loops;
        this.reserve = config.minPerSecond() == 0 ? 0 : Math.max(WHOLE, share);
        this.endNanos = nowNanos + SECOND_NANOS;
    }

    /** Records that a request has begun. */
    public void recordRequest(long nowNanos) {
        advance(nowNanos);
        balances[current] += percent;
    }

    /** Returns whether the budget allows a retry. */
    public boolean hasRetry(long nowNanos) {
        advance(nowNanos);
        long sum = reserve;
        for (long balance : balances) {
            sum += balance;
        }
        return sum >= WHOLE;
    }

    /** Records that a request is sent again. */
    public void recordRetry(long nowNanos) {
        advance(nowNanos);
        balances[current] -= WHOLE;
    }

    private void advance(long nowNanos) {
        if (nowNanos - endNanos < 0) {
            return;
        }
        long seconds = (nowNanos - endNanos) / SECOND_NANOS + 1;
        for (long i = Math.min(seconds, SECONDS); i > 0; i--) {
            current = (current + 1) % SECONDS;
            balances[current] = 0;
        }
        endNanos += seconds * SECOND_NANOS;
    }
}
