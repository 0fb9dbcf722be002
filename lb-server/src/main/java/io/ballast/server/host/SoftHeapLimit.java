package io.ballast.server.host;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Keeps a heap small that may become large. The serial collector does not collect old objects before the largest heap is
 * full, so where the maximum follows the machine, garbage would fill gigabytes. This collects as soon as more is in use than
 * a soft limit, and than twice what was in use after the last time. What open files account for, most of which are
 * connections, comes on top of the soft limit: collecting that frees nothing, and stops all event loops for long.
 *
 * <p>Only where {@code -D}{@value #PROPERTY} asks for it, which stands beside the choice of the collector in
 * {@code bin/jvm*.options}. Thread safety: confined to its thread.
 */
public final class SoftHeapLimit implements Runnable {

    /** The soft limit in megabytes of 2^20 octets. */
    static final String PROPERTY = "ballast.soft_heap_mb";

    /** Of heap that a connection takes, with its share of an exchange, measured with 10,000 slow readers on NIO. */
    static final long FILE_BYTES = 3_000;

    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final long softBytes;
    private final LongSupplier usedBytes;
    private final LongSupplier openFiles;
    private final Runnable collect;
    private long limit;

    /**
     * @param usedBytes of the heap at the moment
     * @param openFiles how many files are open, asked only where it matters
     * @param collect collects all of it
     */
    public SoftHeapLimit(long softBytes, LongSupplier usedBytes, LongSupplier openFiles, Runnable collect) {
        this.softBytes = softBytes;
        this.usedBytes = usedBytes;
        this.openFiles = openFiles;
        this.collect = collect;
        this.limit = softBytes;
    }

    /** Begins to look every {@code 10 s}, if that is asked for. */
    public static void start() {
        Integer megabytes = Integer.getInteger(PROPERTY);
        if (megabytes == null) {
            return;
        }
        Runtime runtime = Runtime.getRuntime();
        SoftHeapLimit limit = new SoftHeapLimit(
                (long) megabytes << 20,
                () -> runtime.totalMemory() - runtime.freeMemory(),
                SoftHeapLimit::filesOfProcess,
                System::gc);
        Executors.newSingleThreadScheduledExecutor(task -> {
                    Thread thread = new Thread(task, "soft-heap-limit");
                    thread.setDaemon(true);
                    return thread;
                })
                .scheduleWithFixedDelay(limit, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static long filesOfProcess() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : 0;
    }

    @Override
    public void run() {
        long used = usedBytes.getAsLong();
        if (used > limit && used > softBytes + openFiles.getAsLong() * FILE_BYTES) {
            collect.run();
            limit = Math.max(softBytes, 2 * usedBytes.getAsLong());
        }
    }
}
