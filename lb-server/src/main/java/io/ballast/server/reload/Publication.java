package io.ballast.server.reload;

import io.ballast.core.control.ControlPlane;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Activates a prepared configuration as a whole. */
public final class Publication {

    /**
     * Maximum number of attempts to activate a configuration while changes of health make it outdated. The last
     * attempt activates it anyway; the changes of health are applied immediately afterwards.
     */
    private static final int MAX_ATTEMPTS = 5;

    private Publication() {}

    /**
     * Activates a configuration, and releases the previous configuration when no event loop uses it any more. Called on
     * the thread that executes changes.
     *
     * @return the time that the activation took on the control plane's thread
     * @throws RuntimeException if the activation failed because of a bug; only a part of the configuration may be
     *     active
     */
    public static Duration activate(Reloadable.Preparation ready, ControlPlane control) throws InterruptedException {
        try {
            Optional<Duration> published = Optional.empty();
            for (int i = 1; published.isEmpty(); i++) {
                published = commit(ready, control, /* force= */ i == MAX_ATTEMPTS);
            }
            ready.quiescence().get();
            control.call(() -> {
                        ready.releasePrevious();
                        return CompletableFuture.completedFuture(null);
                    })
                    .get();
            return published.get();
        } catch (ExecutionException e) {
            throw new FailedHalfWay(e);
        }
    }

    /**
     * Activates the configuration, unless the health of backends has changed since it was prepared: with an
     * outdated configuration, a drained backend could receive requests. Returns how long the activation took;
     * empty if the configuration was outdated and has been updated instead.
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

    /** Thrown if an activation failed after a part of the configuration may have become active. This is a bug. */
    static final class FailedHalfWay extends RuntimeException {

        private static final long serialVersionUID = 1;

        FailedHalfWay(Throwable cause) {
            super("the change failed and may be only partly active: " + cause.getCause(), cause);
        }
    }
}
