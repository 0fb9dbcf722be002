package io.ballast.net.budget;

import io.ballast.core.Checks;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Limits the direct memory used by bytes in transit over all event loops: data that has arrived or is about
 * to arrive, and could not be forwarded yet. The limit is half of the JVM's direct memory
 * ({@code -XX:MaxDirectMemorySize}). The other half is for the rest of the process and for memory lost by
 * allocating in chunks.
 *
 * <p>Thread safety: any thread may read. Cost: reading the usage walks over the allocator's chunks, which
 * takes some microseconds. So an event loop reads it once per some hundred KiB that it allocates (see
 * {@link TransitShare}).
 */
public final class TransitBudget {

    /** The fraction of direct memory that bytes in transit may use. */
    private static final double SHARE = 0.5;
    /** The maximum fraction of direct memory that the whole process may use. */
    private static final double MAX_TAKEN = 15.0 / 16;

    private final long limitBytes;
    private final LongSupplier usedBytes;
    private final LongAdder shedConnections = new LongAdder();
    private final LongAdder shedBytes = new LongAdder();

    /**
     * @param limitBytes the limit
     * @param usedBytes supplies the current usage, as seen by the allocator
     */
    public TransitBudget(long limitBytes, LongSupplier usedBytes) {
        Checks.that(limitBytes > 0, "limitBytes", limitBytes, "> 0");
        this.limitBytes = limitBytes;
        this.usedBytes = usedBytes;
    }

    /** A budget for memory of {@code allocator}: a share of the direct memory that this process may use. */
    public static TransitBudget of(PooledByteBufAllocator allocator) {
        long max = PlatformDependent.maxDirectMemory();
        long limit = (long) (max * SHARE);
        // Normally, only memory that the allocator has handed out counts. If the direct memory in use approaches
        // MAX_TAKEN of the maximum, memory that the allocator only reserves counts too.
        long spare = (long) (max * MAX_TAKEN) - limit;
        return new TransitBudget(
                limit, () -> Math.max(allocator.pinnedDirectMemory(), PlatformDependent.usedDirectMemory() - spare));
    }

    /** Creates a budget of {@code limitBytes} for the direct memory of {@code allocator}. */
    public static TransitBudget of(PooledByteBufAllocator allocator, long limitBytes) {
        return new TransitBudget(limitBytes, allocator::pinnedDirectMemory);
    }

    public long limitBytes() {
        return limitBytes;
    }

    /** The current usage in bytes. May exceed the limit for a moment. */
    public long usedBytes() {
        return Math.max(0, usedBytes.getAsLong());
    }

    /** The number of connections closed since the start because the budget was exhausted. */
    public long shedConnections() {
        return shedConnections.sum();
    }

    /** The total number of bytes held by connections that were closed because the budget was exhausted. */
    public long shedBytes() {
        return shedBytes.sum();
    }

    /** Counts a closed connection that held {@code bytes} bytes. */
    public void shed(long bytes) {
        shedConnections.increment();
        shedBytes.add(bytes);
    }
}
