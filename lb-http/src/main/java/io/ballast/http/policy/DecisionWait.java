package io.ballast.http.policy;

import io.ballast.http.net.Worker;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for a policy's decision that another thread makes. One object serves many waits. Event-loop confined. */
final class DecisionWait {

    /** The maximum time of a wait, longer than any time that a policy may be configured to wait. */
    private static final int MAX_SECONDS = 120;

    /** Receives the decision on the event loop. */
    interface DecisionListener {

        /** @param result the decision; null if it failed */
        void decided(@Nullable Continuation result);
    }

    private final Worker worker;
    private final DecisionListener listener;
    private @Nullable CompletableFuture<? extends Continuation> pending;
    /** Changes whenever a pending decision becomes obsolete. */
    private int ticket;

    DecisionWait(Worker worker, DecisionListener listener) {
        this.worker = worker;
        this.listener = listener;
    }

    /** Starts to wait; the listener is called once, unless {@link #cancel} is called earlier. */
    void begin(PendingDecision waiting) {
        CompletableFuture<? extends Continuation> decision = waiting.decision();
        int current = ++ticket;
        pending = decision;
        if (!waiting.isTransfer()) {
            ScheduledFuture<?> limit =
                    worker.eventLoop().schedule(() -> giveUp(decision), MAX_SECONDS, TimeUnit.SECONDS);
            decision.whenComplete((result, failure) -> limit.cancel(/* mayInterruptIfRunning= */ false));
        }
        decision.whenComplete((result, failure) -> {
            worker.eventLoop().execute(() -> complete(current, result));
        });
    }

    private static void giveUp(CompletableFuture<? extends Continuation> decision) {
        decision.completeExceptionally(new TimeoutException("no decision for " + MAX_SECONDS + " s"));
    }

    private void complete(int number, @Nullable Continuation result) {
        if (number == ticket) {
            pending = null;
            listener.decided(result);
        } else if (result instanceof LocalResponse late) {
            late.source().cancel();
        } else if (result != null) {
            result.dropped();
        }
    }

    /** Ends the wait, if there is one. Returns true if another thread has just decided that the request passes. */
    boolean cancel() {
        ticket++;
        CompletableFuture<? extends Continuation> obsolete = pending;
        pending = null;
        return obsolete != null && !obsolete.cancel(/* mayInterruptIfRunning= */ false) && hasPassed(obsolete);
    }

    private static boolean hasPassed(CompletableFuture<? extends Continuation> decision) {
        return !decision.isCompletedExceptionally() && decision.getNow(null) instanceof PolicyDecision.Pass;
    }
}
