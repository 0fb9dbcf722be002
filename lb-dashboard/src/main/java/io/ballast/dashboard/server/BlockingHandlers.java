package io.ballast.dashboard.server;

import io.ballast.core.ErrorText;
import io.ballast.core.control.RejectedChangeException;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs blocking handlers on a dedicated thread, one at a time, so that /healthz and /readyz never wait for
 * them. A request gets a 503 response if {@value #MAX_WAITING} requests are already waiting.
 *
 * <p>Thread safety: all methods may be called from any thread. The thread ends after {@value #IDLE_SECONDS}
 * idle seconds.
 */
public final class BlockingHandlers implements AutoCloseable {

    static final int MAX_WAITING = 16;

    private static final Logger LOG = LoggerFactory.getLogger(BlockingHandlers.class);
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor thread;

    public BlockingHandlers() {
        thread = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_WAITING), task -> {
                    Thread t = new Thread(task, "dashboard-slow");
                    t.setDaemon(true);
                    return t;
                });
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * Returns a non-blocking handler that runs {@code slow} on this object's thread. {@code slow} must return a
     * {@link AdminResponse.Complete}.
     */
    public Handler wrap(Handler slow) {
        return request -> {
            CompletableFuture<AdminResponse.Complete> reply = new CompletableFuture<>();
            try {
                thread.execute(() -> reply.complete(answer(slow, request)));
            } catch (RejectedExecutionException e) {
                throw HttpProblem.of(
                        HttpResponseStatus.SERVICE_UNAVAILABLE,
                        "too many requests of this kind are waiting; try again in a moment");
            }
            return new AdminResponse.Async(reply);
        };
    }

    private static AdminResponse.Complete answer(Handler slow, Request request) {
        try {
            if (slow.handle(request) instanceof AdminResponse.Complete full) {
                return full;
            }
            throw new IllegalStateException("a blocking handler must return an AdminResponse.Complete");
        } catch (HttpProblem problem) {
            return problem.reply();
        } catch (RejectedChangeException e) {
            return HttpProblem.of(HttpResponseStatus.CONFLICT, ErrorText.of(e)).reply();
        } catch (RuntimeException | Error e) {
            LOG.error("dashboard request failed path={}", request.path(), e);
            return HttpProblem.internal().reply();
        }
    }

    /** Stops the thread; pending requests get no response. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
