package io.ballast.dashboard;

import io.ballast.core.ErrorText;
import io.ballast.core.control.UnavailableException;
import io.ballast.dashboard.server.Problem;
import io.ballast.dashboard.server.Reply;
import io.ballast.dashboard.server.Request;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers to what is done on other threads, given when it is done. */
final class AwaitedReplies {

    private static final Logger LOG = LoggerFactory.getLogger(AwaitedReplies.class);

    private final Executor loop;

    /** @param loop the event loop on which the dashboard is served */
    AwaitedReplies(Executor loop) {
        this.loop = loop;
    }

    /** Has what is wrong with the parameters answered as such: {@link IllegalArgumentException} with a message for people. */
    static Reply checked(Supplier<Reply> order) {
        try {
            return order.get();
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(ErrorText.of(e));
        }
    }

    /** @param answer called on the loop with what came of it; may throw a {@link Problem} */
    <T> Reply.Later when(CompletableFuture<T> outcome, Request request, Function<T, Reply.Full> answer) {
        return new Reply.Later(outcome.handleAsync(
                (done, thrown) -> {
                    Throwable failure = thrown instanceof CompletionException wrapper ? wrapper.getCause() : thrown;
                    if (failure instanceof IllegalArgumentException wrong) {
                        return Problem.badRequest(ErrorText.of(wrong)).reply();
                    }
                    if (failure instanceof UnavailableException notNow) {
                        return Problem.of(HttpResponseStatus.SERVICE_UNAVAILABLE, ErrorText.of(notNow))
                                .reply();
                    }
                    if (failure != null) {
                        LOG.error("order failed path={}", request.path(), failure);
                        return Problem.internal().reply();
                    }
                    try {
                        return answer.apply(done);
                    } catch (Problem problem) { // it left the configuration meanwhile
                        return problem.reply();
                    }
                },
                loop));
    }
}
