package io.ballast.policy.filter;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs exceptions of a filter with their stack traces, at most one every {@value #INTERVAL_SECONDS} s. Thread safety: may
 * be called by any thread except an event loop.
 */
final class FilterFailureLog {

    private static final Logger LOG = LoggerFactory.getLogger(FilterFailureLog.class);
    private static final int INTERVAL_SECONDS = 10;
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(INTERVAL_SECONDS);

    private final String filter;
    private final LongSupplier nanoTime;
    private final AtomicLong nextNanos;
    private final AtomicLong suppressed = new AtomicLong();

    FilterFailureLog(String filter, LongSupplier nanoTime) {
        this.filter = filter;
        this.nanoTime = nanoTime;
        this.nextNanos = new AtomicLong(nanoTime.getAsLong());
    }

    void log(Throwable failure) {
        long now = nanoTime.getAsLong();
        long next = nextNanos.get();
        if (now - next < 0 || !nextNanos.compareAndSet(next, now + INTERVAL_NANOS)) {
            suppressed.incrementAndGet();
            return;
        }
        LOG.warn("msg=\"filter failed\" filter={} not_logged={}", filter, suppressed.getAndSet(0), failure);
    }
}
