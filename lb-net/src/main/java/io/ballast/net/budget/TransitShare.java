package io.ballast.net.budget;

import io.netty.channel.WriteBufferWaterMark;

/**
 * One event loop's view of the {@link TransitBudget}: how many bytes a connection may hold before reading
 * from its source stops, and how many bytes one read may return.
 *
 * <p>Both limits depend on the free part of the budget. They are a dynamic threshold as in Choudhury and
 * Hahne, "Dynamic queue length thresholds for shared-memory packet switches" (IEEE/ACM Transactions on
 * Networking, 1998). This threshold does not need the number of connections, and leaves some memory for later
 * connections. The threshold in the paper is proportional to the free part. Here, a slow connection keeps the
 * data that it was allowed to hold while more memory was free. So the threshold falls faster, with the third
 * power of the free part. A connection may hold {@value #MAX_BUFFERED_BYTES} bytes while 5/8 of the budget
 * are free, and an eighth of that while 5/16 are free. With the default budget of 128 MiB, 10,000 stalled
 * connections leave a twentieth of the budget free.
 *
 * <p>Event-loop confined. Cost: the use of the budget is measured at most once per {@value
 * #MAX_UNMEASURED_BYTES} allocated bytes when the budget is mostly free, more often as it fills. Each
 * allocation of a receive buffer also costs an addition and a comparison.
 */
public final class TransitShare {

    private static final int MAX_BUFFERED_BYTES = 128 * 1024;
    private static final int MIN_BUFFERED_BYTES = 1024;
    /**
     * Steepness of the limit of a connection. With free fraction {@code f} of the budget, the limit is this
     * factor times {@code f^3} times the maximum, but not more than the maximum.
     */
    private static final int STEEPNESS = 4;

    private static final int MAX_READ_BYTES = 64 * 1024;
    private static final int MAX_UNMEASURED_BYTES = 4 * 1024 * 1024;
    private static final int MIN_UNMEASURED_BYTES = 64 * 1024;
    /**
     * Divisor for the measuring interval: a loop measures the use of the budget again after a number of allocated
     * bytes. This number is the free part of the budget, divided by this constant and by the number of loops.
     */
    private static final int UNMEASURED_PART = 16;
    /** Shared instances, one for each power of two, so that changing a channel's watermarks allocates nothing. */
    private static final WriteBufferWaterMark[] MARKS = marks();

    private final TransitBudget budget;
    private final int loops;
    private long unmeasuredBytes;
    private long measureAfterBytes;
    private int readBytes;
    private WriteBufferWaterMark mark = MARKS[MARKS.length - 1];
    private boolean exhausted;

    /** @param loops the number of event loops that share the budget */
    public TransitShare(TransitBudget budget, int loops) {
        this.budget = budget;
        this.loops = loops;
        measure();
    }

    private static WriteBufferWaterMark[] marks() {
        WriteBufferWaterMark[] marks = new WriteBufferWaterMark[32 - Integer.numberOfLeadingZeros(MAX_BUFFERED_BYTES)];
        for (int i = 2; i < marks.length; i++) {
            int high = 1 << i;
            marks[i] = new WriteBufferWaterMark(high / 4, high);
        }
        return marks;
    }

    TransitBudget budget() {
        return budget;
    }

    int loops() {
        return loops;
    }

    /** The maximum number of bytes to read at once. */
    int readBytes() {
        return readBytes;
    }

    /** Counts a buffer of {@code bytes} bytes that is about to be allocated. */
    public void countAllocation(int bytes) {
        unmeasuredBytes += bytes;
        if (unmeasuredBytes > measureAfterBytes) {
            measure();
        }
    }

    /**
     * Recomputes the buffer limits of the connections from the current use of the budget. Also called
     * periodically when nothing is allocated.
     */
    public void measure() {
        long used = budget.usedBytes();
        long free = Math.max(0, budget.limitBytes() - used);
        double part = (double) free / budget.limitBytes();
        double share = Math.min(1, STEEPNESS * part * part * part);
        int held = Integer.highestOneBit((int) Math.max(MIN_BUFFERED_BYTES, share * MAX_BUFFERED_BYTES));
        mark = MARKS[31 - Integer.numberOfLeadingZeros(held)];
        // One read returns at most half of the bytes that a connection may hold, so a read cannot exceed the limit by
        // much.
        readBytes = Math.min(MAX_READ_BYTES, held / 2);
        measureAfterBytes =
                Math.max(MIN_UNMEASURED_BYTES, Math.min(MAX_UNMEASURED_BYTES, free / UNMEASURED_PART / loops));
        unmeasuredBytes = 0;
        exhausted = used > budget.limitBytes();
    }

    /** The maximum number of bytes that a connection may buffer. At this limit, reading from its source stops. */
    public int maxBufferedBytes() {
        return mark.high();
    }

    /**
     * The receive buffer size for new connections to backends; 0 for the system's default. It is limited only
     * while memory is short: when the backend half-closes, epoll reads the whole buffer at once, however slow
     * the client is.
     */
    public int systemReceiveBytes() {
        return isMemoryShort() ? mark.high() : 0;
    }

    /**
     * Whether the limit for each connection's buffers is reduced, because of the memory in use at the last
     * measurement.
     */
    public boolean isMemoryShort() {
        return mark.high() < MAX_BUFFERED_BYTES;
    }

    /** Whether the memory in use at the last measurement exceeded the budget. */
    boolean isExhausted() {
        return exhausted;
    }

    /**
     * The current watermarks for pending output. If the output exceeds the upper watermark, the connection's
     * source is not read until the output has fallen below the lower watermark.
     */
    WriteBufferWaterMark mark() {
        return mark;
    }
}
