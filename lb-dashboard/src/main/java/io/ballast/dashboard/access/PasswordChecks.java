package io.ballast.dashboard.access;

import io.ballast.dashboard.config.DashboardUser;
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
 * Checks passwords on a dedicated thread, one at a time. A check takes 200 to 300 ms of CPU by design, so
 * parallel checks would let clients exhaust the CPU. Known clients have a separate queue with priority, so
 * that a flood of logins from other addresses does not lock operators out. Each queue holds at most {@value
 * #MAX_WAITING} checks.
 *
 * <p>Thread safety: may be called from any thread. The thread ends after {@value #IDLE_SECONDS} idle seconds.
 */
final class PasswordChecks implements AutoCloseable {

    static final int MAX_WAITING = 8;

    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor thread;
    private final Queue<Runnable> knownClientChecks = new ArrayDeque<>(); // guarded by this
    private final Queue<Runnable> otherClientChecks = new ArrayDeque<>(); // guarded by this

    PasswordChecks() {
        thread = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread t = new Thread(task, "dashboard-login");
            t.setDaemon(true);
            return t;
        });
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * Queues a check.
     *
     * @param isKnown whether the client is in {@link KnownClients} or has a valid session
     * @param check returns the user if the password is right
     * @throws RejectedExecutionException if the queue is full
     */
    CompletableFuture<Optional<DashboardUser>> check(boolean isKnown, Supplier<Optional<DashboardUser>> check) {
        CompletableFuture<Optional<DashboardUser>> result = new CompletableFuture<>();
        synchronized (this) {
            Queue<Runnable> queue = isKnown ? knownClientChecks : otherClientChecks;
            if (queue.size() == MAX_WAITING) {
                throw new RejectedExecutionException(MAX_WAITING + " logins are waiting");
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
        Runnable next = pollNext();
        if (next != null) {
            next.run();
        }
    }

    private synchronized @Nullable Runnable pollNext() {
        Runnable first = knownClientChecks.poll();
        return first == null ? otherClientChecks.poll() : first;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
