package io.ballast.dashboard.access;

import io.ballast.core.config.DashboardUser;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Checks passwords beside the event loop, one after the other: each takes a good part of a second of a core by design, so
 * that more at once would be a way to take the machine's time. At most {@value #MOST_WAITING} wait.
 *
 * <p>Thread safety: any thread may call. Its thread ends when it has been idle for a while.
 */
final class PasswordChecks implements AutoCloseable {

    static final int MOST_WAITING = 8;

    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor thread;

    PasswordChecks() {
        thread = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), task -> {
                    Thread t = new Thread(task, "dashboard-login");
                    t.setDaemon(true);
                    return t;
                });
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * Who logs in by this password, if anybody does.
     *
     * @throws java.util.concurrent.RejectedExecutionException if too many are waiting
     */
    CompletableFuture<Optional<DashboardUser>> check(Credentials credentials, String name, String password) {
        return CompletableFuture.supplyAsync(() -> credentials.check(name, password), thread);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
