package io.ballast.net.budget;

import io.netty.channel.WriteBufferWaterMark;

/**
 * What one event loop knows of the {@link TransitBudget}: how much a connection may hold before its source is no longer
 * read, and how much is read at once.
 *
 * <p>Both follow what is free, a dynamic threshold as in Choudhury and Hahne, "Dynamic queue length thresholds for
 * shared-memory packet switches" (IEEE/ACM Transactions on Networking, 1998): it need not be known how many connections
 * there are, and something is left for one that comes later. Their threshold is proportional to what is free. Here slow
 * connections keep what they were allowed when more was free, so it falls faster, with the third power: a connection may
 * hold {@value #MOST_HELD_BYTES} octets while 5/8 of the budget are free, an eighth of that while half of them are. With
 * the default budget of 128 MiB, 10,000 connections that never let go leave a twentieth of it free.
 *
 * <p>Event-loop confined. Cost: a look at the budget for each {@value #MOST_UNMEASURED_BYTES} octets at most that are
 * allocated, fewer as it fills; besides, an addition and a comparison for each read.
 */
public final class TransitShare {

    private static final int MOST_HELD_BYTES = 128 * 1024;
    private static final int LEAST_HELD_BYTES = 1024;
    /** What a connection may hold is the third power of the free part, times this, of the most that it may. */
    private static final int STEEPNESS = 4;

    private static final int MOST_READ_BYTES = 64 * 1024;
    private static final int MOST_UNMEASURED_BYTES = 4 * 1024 * 1024;
    private static final int LEAST_UNMEASURED_BYTES = 64 * 1024;
    /** Of what is free, how much may be allocated before looking again; divided by the number of event loops. */
    private static final int UNMEASURED_PART = 16;
    /** One for each power of two, so that setting it again allocates nothing. */
    private static final WriteBufferWaterMark[] MARKS = marks();

    private final TransitBudget budget;
    private final int loops;
    private long unmeasuredBytes;
    private long measureAfterBytes;
    private int readBytes;
    private WriteBufferWaterMark mark = MARKS[MARKS.length - 1];
    private boolean spent;

    /** @param loops how many event loops have a share */
    public TransitShare(TransitBudget budget, int loops) {
        this.budget = budget;
        this.loops = loops;
        measure();
    }

    private static WriteBufferWaterMark[] marks() {
        WriteBufferWaterMark[] marks = new WriteBufferWaterMark[32 - Integer.numberOfLeadingZeros(MOST_HELD_BYTES)];
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

    /** How much to read at most at once. */
    int readBytes() {
        return readBytes;
    }

    /** A buffer of {@code bytes} is about to be allocated. */
    public void allocating(int bytes) {
        unmeasuredBytes += bytes;
        if (unmeasuredBytes > measureAfterBytes) {
            measure();
        }
    }

    /** Looks at the budget anew. Called now and then also when nothing is allocated. */
    public void measure() {
        long used = budget.usedBytes();
        long free = Math.max(0, budget.limitBytes() - used);
        double part = (double) free / budget.limitBytes();
        double share = Math.min(1, STEEPNESS * part * part * part);
        int held = Integer.highestOneBit((int) Math.max(LEAST_HELD_BYTES, share * MOST_HELD_BYTES));
        mark = MARKS[31 - Integer.numberOfLeadingZeros(held)];
        // A read must not fill at once what a connection may hold, so that one slightly too much is not much.
        readBytes = Math.min(MOST_READ_BYTES, held / 2);
        measureAfterBytes =
                Math.max(LEAST_UNMEASURED_BYTES, Math.min(MOST_UNMEASURED_BYTES, free / UNMEASURED_PART / loops));
        unmeasuredBytes = 0;
        spent = used > budget.limitBytes();
    }

    /** How much a connection may hold now before its source is not read any more. */
    public int mostHeldBytes() {
        return mark.high();
    }

    /**
     * How much the system may hold of what a new connection to a backend receives; 0 if it may choose for itself. When a peer
     * closes its side, all of that is read at once, on epoll however slow the other side is.
     */
    public int systemReceiveBytes() {
        return isShort() ? mark.high() : 0;
    }

    /** Whether so much was used when it was looked at last that connections may hold less than usual. */
    public boolean isShort() {
        return mark.high() < MOST_HELD_BYTES;
    }

    /** Whether more was used than there is when it was looked at last. */
    boolean isSpent() {
        return spent;
    }

    /**
     * The marks that apply now to what a connection has been given to send: beyond the upper one its source is not read, until
     * it has fallen below the lower one.
     */
    WriteBufferWaterMark mark() {
        return mark;
    }
}
