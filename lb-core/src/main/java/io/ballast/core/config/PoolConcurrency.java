package io.ballast.core.config;

import io.ballast.core.Checks;

/**
 * A limit of the concurrent requests of a pool.
 *
 * @param adaptive whether the limit follows the latency of the backends
 * @param min the smallest adaptive limit; the limit itself if it is fixed
 * @param max the largest adaptive limit; the limit itself if it is fixed
 * @param queue the queue of requests above the limit
 */
public record PoolConcurrency(boolean adaptive, int min, int max, RequestQueue queue) {

    public static final int MAX_LIMIT = 1_000_000;
    public static final int DEFAULT_MIN = 10;
    public static final int DEFAULT_MAX = 1000;

    public PoolConcurrency {
        Checks.between(min, 1, MAX_LIMIT, "min");
        Checks.between(max, 1, MAX_LIMIT, "max");
        Checks.that(min <= max, "max", max, "at least min");
        Checks.that(adaptive || min == max, "max", max, "min, because the limit is fixed");
    }

    /** Returns a fixed limit without a queue. */
    public static PoolConcurrency fixed(int limit) {
        return new PoolConcurrency(/* adaptive= */ false, limit, limit, RequestQueue.NONE);
    }

    /** Returns an adaptive limit without a queue. */
    public static PoolConcurrency adaptive(int min, int max) {
        return new PoolConcurrency(/* adaptive= */ true, min, max, RequestQueue.NONE);
    }
}
