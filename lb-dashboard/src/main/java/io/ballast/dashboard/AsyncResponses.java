package io.ballast.dashboard;

import io.ballast.core.ErrorText;
import io.ballast.core.control.RejectedChangeException;
import io.ballast.core.control.UnavailableException;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends responses to commands that complete on another thread. */
final class AsyncResponses {

    private static final Logger LOG = LoggerFactory.getLogger(AsyncResponses.class);

    private final Executor loop;

    /**
     * @param loop the dashboard's event loop
     */
    AsyncResponses(Executor loop) {
        this.loop = loop;
    }

    /** Runs {@code order}; turns an {@link IllegalArgumentException} into a 400 response with its message. */
    static AdminResponse runOrBadRequest(Supplier<AdminResponse> order) {
        try {
            return order.get();
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest(ErrorText.of(e));
        }
    }

    /**
     * Responds when {@code outcome} completes.
     *
     * @param answer called on the event loop with the result; may throw a {@link HttpProblem}
     */
    <T> AdminResponse.Async respondWhenComplete(
            CompletableFuture<T> outcome, Request request, Function<T, AdminResponse.Complete> answer) {
        return new AdminResponse.Async(outcome.handleAsync(
                (done, thrown) -> {
                    Throwable failure = thrown instanceof CompletionException wrapper ? wrapper.getCause() : thrown;
                    if (failure instanceof IllegalArgumentException wrong) {
                        return HttpProblem.badRequest(ErrorText.of(wrong)).reply();
                    }
                    if (failure instanceof HttpProblem problem) {
                        return problem.reply();
                    }
                    if (failure instanceof UnavailableException notNow) {
                        return HttpProblem.of(HttpResponseStatus.SERVICE_UNAVAILABLE, ErrorText.of(notNow))
                                .reply();
                    }
                    if (failure instanceof RejectedChangeException rejected) {
                        return HttpProblem.of(HttpResponseStatus.CONFLICT, ErrorText.of(rejected))
                                .reply();
                    }
                    if (failure != null) {
                        LOG.error("command failed path={}", request.path(), failure);
                        return HttpProblem.internal().reply();
                    }
                    try {
                        return answer.apply(done);
                    } catch (HttpProblem problem) { // for example, a reload has removed the backend
                        return problem.reply();
                    }
                },
                loop));
    }
}
