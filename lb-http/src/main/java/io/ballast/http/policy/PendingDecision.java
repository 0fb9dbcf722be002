package io.ballast.http.policy;

import java.util.concurrent.CompletableFuture;

/**
 * The policy decides later, for example when another thread has verified a password. The request waits, and its event
 * loop does not.
 *
 * @param decision completes on any thread with a decision, or with a continuation that decides on the event loop. An
 *     exception refuses the request with 503. Cancelled if the client disconnects
 * @param isTransfer whether the client's data is awaited, which the client's own deadlines limit; otherwise the decision must
 *     complete within two minutes
 */
public record PendingDecision(CompletableFuture<? extends Continuation> decision, boolean isTransfer)
        implements PolicyDecision {

    /** Creates a decision that does not wait for data of the client. */
    public PendingDecision(CompletableFuture<? extends Continuation> decision) {
        this(decision, /* isTransfer= */ false);
    }
}
