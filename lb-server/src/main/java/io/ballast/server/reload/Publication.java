package io.ballast.server.reload;

import io.ballast.core.control.ControlPlane;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Puts a configuration in force that is ready, as a whole. */
public final class Publication {

    /** How often health may change just before it is put in force; then it is, and what it missed follows at once. */
    private static final int MOST_UPDATES = 5;

    private Publication() {}

    /**
     * Returns how long it took; what was before is freed when no event loop can hold it any more. Called on the thread of
     * changes.
     *
     * @throws RuntimeException if only a part of it may be in force, which must not happen
     */
    public static Duration of(Reloadable.Preparation ready, ControlPlane control) throws InterruptedException {
        try {
            Optional<Duration> published = Optional.empty();
            for (int i = 1; published.isEmpty(); i++) {
                published = commit(ready, control, /* force= */ i == MOST_UPDATES);
            }
            ready.quiescence().get();
            control.call(() -> {
                        ready.settle();
                        return CompletableFuture.completedFuture(null);
                    })
                    .get();
            return published.get();
        } catch (ExecutionException e) {
            throw new FailedHalfWay(e);
        }
    }

    /**
     * Puts it in force, unless the backends' health has changed since it was prepared: who was told that a backend gets nothing
     * new may count on that. Returns how long it took; empty if it was not current, and is again.
     */
    private static Optional<Duration> commit(Reloadable.Preparation ready, ControlPlane control, boolean force)
            throws InterruptedException, ExecutionException {
        Optional<Duration> done = control.call(() -> {
                    long begin = System.nanoTime();
                    if (!force && !ready.isCurrent()) {
                        return CompletableFuture.completedFuture(Optional.<Duration>empty());
                    }
                    ready.commit();
                    return CompletableFuture.completedFuture(Optional.of(Duration.ofNanos(System.nanoTime() - begin)));
                })
                .get();
        if (done.isEmpty()) {
            ready.update();
        }
        return done;
    }

    /** What must not happen: a part of a configuration is in force. */
    static final class FailedHalfWay extends RuntimeException {

        private static final long serialVersionUID = 1;

        FailedHalfWay(Throwable cause) {
            super("the change failed half-way, so that only a part of it may be in force: " + cause.getCause(), cause);
        }
    }
}
