package io.ballast.dashboard.server;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has handlers that read files or wait for others answer beside the event loop, one after the other, so that /healthz and
 * /readyz never wait for them. More than {@value #MOST_WAITING} requests that wait are answered by 503.
 *
 * <p>Thread safety: any thread may call any method. Its thread ends when it has been idle for a while.
 */
public final class OffLoop implements AutoCloseable {

    static final int MOST_WAITING = 16;

    private static final Logger LOG = LoggerFactory.getLogger(OffLoop.class);
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor thread;

    public OffLoop() {
        thread = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), task -> {
                    Thread t = new Thread(task, "dashboard-slow");
                    t.setDaemon(true);
                    return t;
                });
        thread.allowCoreThreadTimeOut(true);
    }

    /** A handler that never blocks and answers what {@code slow}, which may, answers. Only whole responses. */
    public Handler of(Handler slow) {
        return request -> {
            CompletableFuture<Reply.Full> reply = new CompletableFuture<>();
            try {
                thread.execute(() -> reply.complete(answer(slow, request)));
            } catch (RejectedExecutionException e) {
                throw Problem.of(HttpResponseStatus.SERVICE_UNAVAILABLE, "too many requests like this one are waiting");
            }
            return new Reply.Later(reply);
        };
    }

    private static Reply.Full answer(Handler slow, Request request) {
        try {
            if (slow.handle(request) instanceof Reply.Full full) {
                return full;
            }
            throw new IllegalStateException("not a whole response");
        } catch (Problem problem) {
            return problem.reply();
        } catch (RuntimeException | Error e) {
            LOG.error("dashboard request failed path={}", request.path(), e);
            return Problem.internal().reply();
        }
    }

    /** Answers nothing more. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
