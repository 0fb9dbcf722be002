package io.ballast.bench.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.PickContext;
import java.util.SplittableRandom;

/**
 * A sequence of requests, each from a different client and with no member excluded; one instance per thread.
 */
final class BenchmarkRequest implements PickContext {

    static final long START_NANOS = 1_000_000_000_000L;

    private static final long NANOS_PER_REQUEST = 1000;
    /** 2^64 divided by the golden ratio. */
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private final SplittableRandom random;
    private long affinity;
    private long nowNanos = START_NANOS;

    BenchmarkRequest(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** Advances to the next request. */
    BenchmarkRequest next() {
        affinity += STEP;
        nowNanos += NANOS_PER_REQUEST;
        return this;
    }

    @Override
    public long nextRandom() {
        return random.nextLong();
    }

    @Override
    public long affinity() {
        return affinity;
    }

    @Override
    public long nowNanos() {
        return nowNanos;
    }

    @Override
    public boolean isExcluded(Backend backend) {
        return false;
    }
}
