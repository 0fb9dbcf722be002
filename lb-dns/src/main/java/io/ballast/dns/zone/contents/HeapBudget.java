package io.ballast.dns.zone.contents;

/**
 * The part of the heap that the zones of a configuration may use: the free memory before reading, minus a
 * reserve. Records beyond the limit are only counted, so that the required memory can be reported.
 *
 * <p>Thread safety: confined to the reading thread.
 */
public final class HeapBudget {

    /** Reserve for all other uses of the heap: requests, the dashboard, and garbage between two collections. */
    private static final long RESERVE_BYTES = 16 << 20;

    /** Each record is stored twice: in file order and in wire format. */
    private static final int COPIES = 2;

    // A signed zone needs a signature for each record set and a denial record for each name. The factor is 2, because
    // re-signing needs twice this memory.
    private static final int SIGNATURE_BYTES = 2 * 125;
    private static final int PROOF_BYTES = 2 * 225;

    private static final long MEBIBYTE = 1 << 20;

    private final long max;
    private final long free;
    private long needed;

    /**
     * @param max the maximum size of the heap in bytes
     * @param free the bytes that zones may use
     */
    public HeapBudget(long max, long free) {
        this.max = max;
        this.free = free;
    }

    public static HeapBudget ofProcess() {
        Runtime runtime = Runtime.getRuntime();
        long used = runtime.totalMemory() - runtime.freeMemory();
        return new HeapBudget(runtime.maxMemory(), Math.max(0, runtime.maxMemory() - used - RESERVE_BYTES));
    }

    /** Returns the memory that a zone needs in bytes. */
    static long bytes(long retainedBytes, long names, long records, boolean signed) {
        return COPIES * retainedBytes + (signed ? names * PROOF_BYTES + records * SIGNATURE_BYTES : 0);
    }

    /** Whether there is enough memory in addition to the zones that were already read. */
    public boolean allows(long bytes) {
        return needed + bytes <= free;
    }

    /** Reserves the memory of a zone. */
    public void reserve(long bytes) {
        needed += bytes;
    }

    /** Whether all zones together need more heap memory than is free. */
    public boolean isExceeded() {
        return needed > free;
    }

    /** Returns an error message for zones that are too large, with the remedy. */
    public String problem() {
        return "the zones need about " + mebibytes(needed) + " MB of heap, and " + mebibytes(free) + " of "
                + mebibytes(max) + " MB are free for them (expected: a larger heap, such as LB_JAVA_OPTS=-Xmx"
                + mebibytes(max - free + needed) + "m, or -XX:MaxRAMPercentage)";
    }

    private static long mebibytes(long bytes) {
        return (bytes + MEBIBYTE - 1) / MEBIBYTE;
    }
}
