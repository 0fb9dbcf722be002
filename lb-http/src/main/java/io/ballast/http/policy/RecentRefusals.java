package io.ballast.http.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The last refusals of a policy: at most {@value #CAPACITY}. All refusals are recorded while there are few. A burst of
 * more than {@value #CAPACITY} refusals is sampled: {@value #PER_SECOND} refusals a second are recorded.
 *
 * <p>Thread safety: all methods may be called concurrently; they do not block. Cost of a refusal that is not recorded:
 * one volatile read. A recorded refusal allocates its record.
 */
public final class RecentRefusals {

    /** The maximum number of recorded refusals. */
    public static final int CAPACITY = 50;

    private static final int PER_SECOND = 10;
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1) / PER_SECOND;
    private static final long BURST_NANOS = (CAPACITY - 1) * INTERVAL_NANOS;

    private final AtomicReferenceArray<@Nullable RecentRefusal> refusals = new AtomicReferenceArray<>(CAPACITY);
    private final AtomicLong recorded = new AtomicLong();
    /** When the next record conforms to the rate without a burst; {@link System#nanoTime}. */
    private final AtomicLong arrival;

    /** @param now the current time; see {@link System#nanoTime} */
    RecentRefusals(long now) {
        arrival = new AtomicLong(now);
    }

    /** Creates an object without refusals. */
    public RecentRefusals() {
        this(System.nanoTime());
    }

    /** Whether the next refusal should be recorded. Counts a record if it returns true. */
    boolean accepts(long now) {
        long before = arrival.get();
        if (before - now > BURST_NANOS) {
            return false;
        }
        long next = (before - now > 0 ? before : now) + INTERVAL_NANOS;
        return arrival.compareAndSet(before, next); // otherwise, another thread records a refusal at the same time
    }

    void add(RecentRefusal refusal) {
        refusals.set((int) (recorded.getAndIncrement() % CAPACITY), refusal);
    }

    /** Returns the last refusals, the newest first. */
    public List<RecentRefusal> newest(int max) {
        List<RecentRefusal> newest = new ArrayList<>();
        long count = recorded.get();
        for (long at = count - 1; at >= 0 && at >= count - CAPACITY && newest.size() < max; at--) {
            RecentRefusal refusal = refusals.get((int) (at % CAPACITY));
            if (refusal != null) { // null while another thread adds it
                newest.add(refusal);
            }
        }
        return newest;
    }
}
