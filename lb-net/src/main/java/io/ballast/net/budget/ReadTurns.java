package io.ballast.net.budget;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Limits how many bytes of bodies one event loop reads in one of its turns, so that thousands of uploads or downloads do not
 * delay new connections, request heads and short responses. Connections that would exceed the limit wait in a queue; each
 * following turn resumes a few of them, in the order in which they came.
 *
 * <p>A turn ends when the event loop has handled the events that were ready and begins to run its tasks.
 *
 * <p>Event-loop confined. Cost: an addition for a short read; one scheduled task for each turn in which a body is read, which
 * allocates.
 */
public final class ReadTurns {

    /** How much is read in a turn before connections that expect more have to wait. */
    static final int MOST_BYTES = 512 * 1024;

    /** A shorter read counts as this many bytes: what it takes besides copying is the same for all. */
    static final int LEAST_COUNTED_BYTES = 16 * 1024;

    private final EventLoop eventLoop;
    private final TransitShare share;
    private final Queue<BudgetedReads> waiting = new ArrayDeque<>();
    private long readBytes;
    private boolean endScheduled;

    /** @param share decides how much a connection that is resumed may read at once */
    public ReadTurns(EventLoop eventLoop, TransitShare share) {
        this.eventLoop = eventLoop;
        this.share = share;
    }

    /** Part of a body was read, or of a message that is long. */
    void read(int bytes) {
        readBytes += Math.max(bytes, LEAST_COUNTED_BYTES);
        scheduleEnd();
    }

    /** Whether connections that expect more have to wait for another turn. */
    boolean isUsedUp() {
        return readBytes >= MOST_BYTES || !waiting.isEmpty();
    }

    /** Has a connection that is not read any more wait until it is {@linkplain BudgetedReads#resume resumed}. */
    void await(BudgetedReads connection) {
        waiting.add(connection);
        scheduleEnd();
    }

    /** How many connections wait. */
    int waiting() {
        return waiting.size();
    }

    /** A scheduled task runs after the events of the next turn; one that is executed might run before them. */
    private void scheduleEnd() {
        if (!endScheduled) {
            endScheduled = true;
            eventLoop.schedule(this::end, 0, TimeUnit.NANOSECONDS);
        }
    }

    private void end() {
        endScheduled = false;
        readBytes = 0;
        long granted = 0;
        while (granted < MOST_BYTES && !waiting.isEmpty()) {
            granted += waiting.remove().resume() ? Math.max(share.readBytes(), LEAST_COUNTED_BYTES) : 0;
        }
        if (!waiting.isEmpty()) {
            scheduleEnd();
        }
    }
}
