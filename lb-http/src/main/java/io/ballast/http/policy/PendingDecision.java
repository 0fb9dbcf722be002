package io.ballast.http.policy;

import java.util.concurrent.CompletableFuture;

/**
 * The policy decides later, for example when another thread has verified a password. The request waits, and its event
 * loop does not.
 *
 * @param decision completes on any thread with a decision, or with a continuation that decides on the event loop. An
 *     exception refuses the request with 503. Cancelled if the client disconnects
 */
public record PendingDecision(CompletableFuture<? extends Continuation> decision) implements PolicyDecision {}
