package io.ballast.dns.answer;

import io.ballast.dns.forward.ReplyPath;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Late responses of one turn of an event loop, which leave together where they can.
 *
 * <p>Event-loop confined.
 */
final class SentTogether implements Runnable {

    private final Executor eventLoop;
    private final List<Runnable> waiting = new ArrayList<>(/* initialCapacity= */ 2);

    SentTogether(Executor eventLoop) {
        this.eventLoop = eventLoop;
    }

    /** Sends a response, behind what the event loop has in hand. */
    void send(ReplyPath path, byte[] response, int length) {
        Runnable rest = path.sendSoon(response, length);
        if (rest == null || waiting.contains(rest)) {
            return;
        }
        waiting.add(rest);
        if (waiting.size() == 1) {
            try {
                eventLoop.execute(this);
            } catch (RejectedExecutionException e) {
                run(); // it has ended, and what it was about to send still leaves
            }
        }
    }

    @Override
    public void run() {
        try {
            waiting.forEach(Runnable::run);
        } finally {
            waiting.clear(); // or nothing would be sent any more
        }
    }
}
