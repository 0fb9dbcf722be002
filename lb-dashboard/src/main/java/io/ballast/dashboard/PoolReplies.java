package io.ballast.dashboard;

import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The responses to commands that change a pool or one of its backends.
 *
 * @param backend returns the response for the backend of a request; called on the dashboard's event loop
 * @param pool returns the response for the pool of a request; called on the dashboard's event loop
 * @param replies sends the responses
 */
record PoolReplies(
        Function<Request, AdminResponse.Complete> backend,
        Function<Request, AdminResponse.Complete> pool,
        AsyncResponses replies) {

    /**
     * Responds when {@code outcome} completes.
     *
     * @param answer called on the event loop with the result
     */
    <T> AdminResponse whenComplete(
            CompletableFuture<T> outcome, Request request, Function<T, AdminResponse.Complete> answer) {
        return replies.respondWhenComplete(outcome, request, answer);
    }

    static AdminResponse.Complete noSuchPool(String pool) {
        return HttpProblem.notFound("there is no pool " + pool).reply();
    }

    static AdminResponse.Complete conflict(String text) {
        return HttpProblem.of(HttpResponseStatus.CONFLICT, text).reply();
    }
}
