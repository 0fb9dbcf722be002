package io.ballast.cluster.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits until other threads have fulfilled a condition. */
public final class Poll {

    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private Poll() {}

    /** Waits until a condition holds; fails after a minute. */
    public static void until(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - start).isLessThan(LIMIT_NANOS);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
