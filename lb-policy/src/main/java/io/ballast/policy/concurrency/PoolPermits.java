package io.ballast.policy.concurrency;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts the requests in flight of a pool; all keys share one count. */
final class PoolPermits implements Permits {

    private final int fixedLimit;
    private final @Nullable AdaptiveLimit adaptive;
    private final AtomicInteger inFlight = new AtomicInteger();

    /** @param adaptive the adaptive limit; null to use the fixed limit */
    PoolPermits(int fixedLimit, @Nullable AdaptiveLimit adaptive) {
        this.fixedLimit = fixedLimit;
        this.adaptive = adaptive;
    }

    @Override
    public boolean tryAcquire(long key) {
        int limit = limit();
        while (true) {
            int before = inFlight.get();
            if (adaptive != null) {
                adaptive.inFlight(before + 1);
            }
            if (before >= limit) {
                return false;
            }
            if (inFlight.compareAndSet(before, before + 1)) {
                return true;
            }
        }
    }

    @Override
    public void release(long key) {
        inFlight.decrementAndGet();
    }

    int limit() {
        return adaptive == null ? fixedLimit : adaptive.limit();
    }

    int inFlight() {
        return inFlight.get();
    }
}
