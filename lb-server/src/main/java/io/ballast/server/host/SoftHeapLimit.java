package io.ballast.server.host;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Keeps the heap small although its maximum is large. The serial collector does not collect old objects before the heap
 * has its maximum size, so on a large machine garbage would fill gigabytes. This class starts a collection when the
 * heap exceeds both a soft limit and twice its size after the last collection. The limit grows with the number of open
 * files, because most of them are connections. A collection cannot free the objects of open connections, and stops all
 * event loops for a long time.
 *
 * <p>Enabled by {@code -D}{@value #PROPERTY}, which {@code bin/jvm*.options} sets with the collector.
 * Thread safety: confined to its thread.
 */
public final class SoftHeapLimit implements Runnable {

    /** The soft limit, in units of 2^20 bytes. */
    static final String PROPERTY = "ballast.soft_heap_mb";

    /**
     * Heap bytes for each open file: a connection and its share of an exchange, measured with 10,000 slow
     * readers on NIO.
     */
    static final long FILE_BYTES = 3_000;

    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final long softBytes;
    private final LongSupplier usedBytes;
    private final LongSupplier openFiles;
    private final Runnable collect;
    private long limit;

    /**
     * @param usedBytes supplies the current number of used bytes of the heap
     * @param openFiles supplies the number of open files; called only if the used bytes exceed the limit
     * @param collect runs a full collection
     */
    public SoftHeapLimit(long softBytes, LongSupplier usedBytes, LongSupplier openFiles, Runnable collect) {
        this.softBytes = softBytes;
        this.usedBytes = usedBytes;
        this.openFiles = openFiles;
        this.collect = collect;
        this.limit = softBytes;
    }

    /** Starts checking the heap every {@code 10 s}, if enabled. */
    public static void start() {
        Integer megabytes = Integer.getInteger(PROPERTY);
        if (megabytes == null) {
            return;
        }
        Runtime runtime = Runtime.getRuntime();
        SoftHeapLimit limit = new SoftHeapLimit(
                (long) megabytes << 20,
                () -> runtime.totalMemory() - runtime.freeMemory(),
                SoftHeapLimit::countOpenFiles,
                System::gc);
        Executors.newSingleThreadScheduledExecutor(task -> {
                    Thread thread = new Thread(task, "soft-heap-limit");
                    thread.setDaemon(true);
                    return thread;
                })
                .scheduleWithFixedDelay(limit, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static long countOpenFiles() {
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
