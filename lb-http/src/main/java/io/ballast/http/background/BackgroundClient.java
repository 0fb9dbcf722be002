package io.ballast.http.background;

/**
 * Sends background requests to pools, on one event loop. Each request is an ordinary exchange: the pool's strategy,
 * limits, queue, retries, timeouts and connections apply, and the statistics of the pool and its backends count it. No
 * listener counts it, and no access log contains it. Policies of the pool do not apply. Event-loop confined.
 */
@FunctionalInterface
public interface BackgroundClient {

    /** Refuses every request; used before the frontend has started. */
    BackgroundClient REFUSING = (request, handler) -> {
        request.body().release();
        handler.failed(BackgroundFailure.REFUSED);
        return () -> {};
    };

    /**
     * Sends a request; takes ownership of its body.
     *
     * @param handler receives the response. It may be called before this method returns.
     */
    BackgroundCall send(BackgroundRequest request, BackgroundResponseHandler handler);
}
