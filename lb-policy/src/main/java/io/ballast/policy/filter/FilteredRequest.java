package io.ballast.policy.filter;

import io.ballast.filter.HeaderEdits;
import io.ballast.http.policy.Continuation;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request that a filter evaluates, with the filter's changes of the response. Confined to its event loop, except as
 * noted.
 */
final class FilteredRequest {

    final FilterUses.Use use;

    RequestSnapshot request;
    /** The changes that the filter made in {@code onRequest}. */
    HeaderEdits responseEdits = HeaderEdits.NONE;
    /** The call of the filter with the response; null before the call. */
    @Nullable CompletableFuture<Continuation> responseDecision;
    /** The result of the call with the response, written by the thread that completes the decision. */
    volatile @Nullable CallResult<HeaderEdits> responseResult;

    FilteredRequest(RequestSnapshot request, FilterUses.Use use) {
        this.request = request;
        this.use = use;
    }

    /** Ends the use of the filter, and cancels a call with the response that is still running. */
    void end() {
        CompletableFuture<Continuation> running = responseDecision;
        if (running != null) {
            running.cancel(/* mayInterruptIfRunning= */ false);
        }
        use.end();
    }
}
