package io.ballast.net.budget;

import io.ballast.core.Checks;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * How much memory outside the heap the octets in transit may take, over all event loops: what has arrived, or is about to,
 * and could not be passed on yet. Half of what the JVM allows ({@code -XX:MaxDirectMemorySize}); the other half is for
 * what other parts of the process need, and for what allocating in chunks wastes.
 *
 * <p>Thread safety: any thread may read. Cost: reading what is used walks over the allocator's chunks, some
 * microseconds, so event loops do it once for some hundred KiB that they allocate (see {@link TransitShare}).
 */
public final class TransitBudget {

    /** The part of direct memory that octets in transit may take. */
    private static final double SHARE = 0.5;
    /** The part of direct memory beyond which nothing must grow, whatever takes it. */
    private static final double MOST_TAKEN = 15.0 / 16;

    private final long limitBytes;
    private final LongSupplier usedBytes;
    private final LongAdder shedConnections = new LongAdder();
    private final LongAdder shedBytes = new LongAdder();

    /**
     * @param limitBytes what there is
     * @param usedBytes tells what is used, as seen by the allocator
     */
    public TransitBudget(long limitBytes, LongSupplier usedBytes) {
        Checks.that(limitBytes > 0, "limitBytes", limitBytes, "> 0");
        this.limitBytes = limitBytes;
        this.usedBytes = usedBytes;
    }

    /** A budget for what is allocated here, as a share of what this process may take. */
    public static TransitBudget of(PooledByteBufAllocator allocator) {
        long most = PlatformDependent.maxDirectMemory();
        long limit = (long) (most * SHARE);
        // If chunks that are taken come near the JVM's limit, although little in them is used, that counts as well.
        long spare = (long) (most * MOST_TAKEN) - limit;
        return new TransitBudget(
                limit, () -> Math.max(allocator.pinnedDirectMemory(), PlatformDependent.usedDirectMemory() - spare));
    }

    /** A budget of {@code limitBytes} for what is allocated here. */
    public static TransitBudget of(PooledByteBufAllocator allocator, long limitBytes) {
        return new TransitBudget(limitBytes, allocator::pinnedDirectMemory);
    }

    public long limitBytes() {
        return limitBytes;
    }

    /** What is used now. May be more than the limit for a moment. */
    public long usedBytes() {
        return Math.max(0, usedBytes.getAsLong());
    }

    /** Connections that were closed because the budget was spent, since the start. */
    public long shedConnections() {
        return shedConnections.sum();
    }

    /** Octets that those connections held. */
    public long shedBytes() {
        return shedBytes.sum();
    }

    /** A connection that held {@code bytes} octets is closed. */
    public void shed(long bytes) {
        shedConnections.increment();
        shedBytes.add(bytes);
    }
}
