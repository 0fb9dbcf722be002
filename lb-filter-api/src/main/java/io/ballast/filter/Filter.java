package io.ballast.filter;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Evaluates requests, and may change the headers of requests and responses.
 *
 * <p>Calls run on a pool of threads of this filter, never on an event loop, so they may block. Each call has a deadline
 * ({@code deadline} in the configuration), which includes the time in the queue and the time until the returned stage
 * completes. After the deadline the thread is interrupted, and a late result is ignored. A call that throws, returns a
 * failed stage or misses its deadline is a failure; {@code on_error} in the configuration selects what the client gets.
 *
 * <p>Thread safety: all methods except {@link #close} may be called concurrently.
 */
public interface Filter extends AutoCloseable {

    /** Returns which request bodies the filter reads. Called once, after the filter was created; default: none. */
    default BodyAccess requestBody() {
        return BodyAccess.NONE;
    }

    /**
     * Returns the names of request headers that only this filter may set, such as the name of a user. Ballast removes
     * these headers from requests of clients, regardless of case and with {@code _} for {@code -}, even if the filter
     * fails or sets none. Called once, after the filter was created; default: none.
     */
    default List<String> requestHeaders() {
        return List.of();
    }

    /**
     * Evaluates a request before it is sent to a backend. Not called for requests that an earlier policy refuses or
     * answers, for example from the cache.
     *
     * @return a stage, which may complete on any thread
     * @throws Exception if the filter cannot decide; counts as a failure of the filter
     */
    CompletionStage<RequestResult> onRequest(FilterRequest request) throws Exception;

    /**
     * Whether {@link #onResponse} is called. Called once, after the filter was created. Each call delays the response
     * until the call completes, so a filter that needs only the request should return header changes in {@link
     * RequestResult#pass(HeaderEdits, HeaderEdits)} instead.
     */
    default boolean changesResponses() {
        return false;
    }

    /**
     * Returns changes of the headers of a backend's response. Not called for informational responses, for upgrades to
     * another protocol, or for responses of Ballast or a policy, such as error pages and cached responses.
     *
     * @param request the request of {@link #onRequest}, as it was before the changes of this filter
     * @return a stage, which may complete on any thread
     * @throws Exception if the filter cannot decide; counts as a failure of the filter
     */
    default CompletionStage<HeaderEdits> onResponse(FilterRequest request, FilterResponse response) throws Exception {
        return CompletableFuture.completedFuture(HeaderEdits.NONE);
    }

    /**
     * Releases the resources of the filter. Called once, after the last call has ended or missed its deadline. Threads
     * that the filter has started must end now; otherwise its classes stay in memory.
     */
    @Override
    default void close() {}
}
