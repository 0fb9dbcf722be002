package io.ballast.dashboard.access;

import io.ballast.core.config.DashboardUser;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks passwords beside the event loop, one after the other: each takes a good part of a second of a core by design, so
 * checking more at once would let clients use up the machine's CPU time. Clients that are known have a queue of their own, which
 * goes first, so that a flood of logins from other addresses does not lock operators out. {@value #MOST_WAITING} checks wait in
 * each queue at most.
 *
 * <p>Thread safety: any thread may call. Its thread ends when it has been idle for a while.
 */
final class PasswordChecks implements AutoCloseable {

    static final int MOST_WAITING = 8;

    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor thread;
    private final Queue<Runnable> known = new ArrayDeque<>(); // guarded by this
    private final Queue<Runnable> unknown = new ArrayDeque<>(); // guarded by this

    PasswordChecks() {
        thread = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread t = new Thread(task, "dashboard-login");
            t.setDaemon(true);
            return t;
        });
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs a check when it is its turn.
     *
     * @param isKnown whether the client is known: see {@link KnownClients}
     * @param check returns the user who logs in by the password, if any
     * @throws RejectedExecutionException if too many checks of this kind wait
     */
    CompletableFuture<Optional<DashboardUser>> check(boolean isKnown, Supplier<Optional<DashboardUser>> check) {
        CompletableFuture<Optional<DashboardUser>> result = new CompletableFuture<>();
        synchronized (this) {
            Queue<Runnable> queue = isKnown ? known : unknown;
            if (queue.size() == MOST_WAITING) {
                throw new RejectedExecutionException(MOST_WAITING + " logins wait");
            }
            queue.add(() -> complete(result, check));
        }
        thread.execute(this::runNext);
        return result;
    }

    private static void complete(
            CompletableFuture<Optional<DashboardUser>> result, Supplier<Optional<DashboardUser>> check) {
        try {
            result.complete(check.get());
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    private void runNext() {
        Runnable next = next();
        if (next != null) {
            next.run();
        }
    }

    private synchronized @Nullable Runnable next() {
        Runnable first = known.poll();
        return first == null ? unknown.poll() : first;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
