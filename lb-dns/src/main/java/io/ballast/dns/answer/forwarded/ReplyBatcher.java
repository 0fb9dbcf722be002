package io.ballast.dns.answer.forwarded;

import io.ballast.dns.forward.ReplyPath;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Batches the deferred replies of one event-loop iteration.
 *
 * <p>Confined to the event loop.
 */
final class ReplyBatcher implements Runnable {

    private final Executor eventLoop;
    private final List<Runnable> waiting = new ArrayList<>(/* initialCapacity= */ 2);

    ReplyBatcher(Executor eventLoop) {
        this.eventLoop = eventLoop;
    }

    /** Sends a response after the current task of the event loop. */
    void send(ReplyPath path, byte[] response, int length) {
        Runnable rest = path.sendBuffered(response, length);
        if (rest == null || waiting.contains(rest)) {
            return;
        }
        waiting.add(rest);
        if (waiting.size() == 1) {
            try {
                eventLoop.execute(this);
            } catch (RejectedExecutionException e) {
                run(); // the loop has ended; send the buffered replies now
            }
        }
    }

    @Override
    public void run() {
        try {
            waiting.forEach(Runnable::run);
        } finally {
            waiting.clear(); // cleared even after a failure, because only adding to an empty list schedules a run
        }
    }
}
