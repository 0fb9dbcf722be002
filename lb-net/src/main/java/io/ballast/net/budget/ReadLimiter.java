package io.ballast.net.budget;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Limits how many bytes of bodies one event loop reads in one of its turns, so that thousands of uploads or downloads
 * do not delay new connections, request heads and short responses. Connections that would exceed the limit wait in a
 * queue; each following turn resumes a few of them in FIFO order.
 *
 * <p>A turn ends when the event loop has handled the ready events and begins to run its tasks.
 *
 * <p>Event-loop confined. Cost: an addition for a short read; for each turn that reads a body, one scheduled task,
 * which allocates.
 */
public final class ReadLimiter {

    /** Limit of bytes per turn: when it is reached, connections that expect more data wait for the next turn. */
    static final int MAX_BYTES = 512 * 1024;

    /** A shorter read counts as this many bytes, because each read has the same fixed cost besides copying. */
    static final int MIN_COUNTED_BYTES = 16 * 1024;

    private final EventLoop eventLoop;
    private final TransitShare share;
    private final Queue<BudgetedRecvByteBufAllocator> waitingConnections = new ArrayDeque<>();
    private long readBytes;
    private boolean endScheduled;

    /** @param share determines how much a resumed connection may read at once */
    public ReadLimiter(EventLoop eventLoop, TransitShare share) {
        this.eventLoop = eventLoop;
        this.share = share;
    }

    /** Counts a read of data that is part of a body or of a long message. */
    void countRead(int bytes) {
        readBytes += Math.max(bytes, MIN_COUNTED_BYTES);
        scheduleEnd();
    }

    /** Whether connections that expect more data have to wait for another turn. */
    boolean isUsedUp() {
        return readBytes >= MAX_BYTES || !waitingConnections.isEmpty();
    }

    /** Queues a paused connection until it is {@linkplain BudgetedRecvByteBufAllocator#resume resumed}. */
    void await(BudgetedRecvByteBufAllocator connection) {
        waitingConnections.add(connection);
        scheduleEnd();
    }

    /** The number of waiting connections. */
    int waitingConnections() {
        return waitingConnections.size();
    }

    /**
     * Schedules the end of the turn. A task passed to {@code schedule} runs after the events of the next turn; a
     * task passed to {@code execute} may run before them.
     */
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
        while (granted < MAX_BYTES && !waitingConnections.isEmpty()) {
            granted += waitingConnections.remove().resume() ? Math.max(share.readBytes(), MIN_COUNTED_BYTES) : 0;
        }
        if (!waitingConnections.isEmpty()) {
            scheduleEnd();
        }
    }
}
