package io.ballast.http.policy;

import java.util.concurrent.CompletableFuture;

/**
 * The policy decides later, for example when another thread has verified a password. The request waits, but its event
 * loop is not blocked.
 *
 * @param decision completes on any thread with a decision, or with a continuation that decides on the event loop. An
 *     exception refuses the request with 503. The future is cancelled if the client disconnects
 * @param isTransfer whether the decision waits for data from the client, so that the client's deadlines apply;
 *     otherwise the decision must complete within two minutes
 */
public record PendingDecision(CompletableFuture<? extends Continuation> decision, boolean isTransfer)
        implements PolicyDecision {

    /** Creates a decision that does not wait for data from the client. */
    public PendingDecision(CompletableFuture<? extends Continuation> decision) {
        this(decision, /* isTransfer= */ false);
    }
}
