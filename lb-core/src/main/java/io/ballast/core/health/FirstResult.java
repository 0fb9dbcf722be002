package io.ballast.core.health;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the first outcome of a check with its duration, and ignores later ones. Thread safety: may be given by
 * any thread.
 */
public final class FirstResult {

    private final Consumer<ProbeResult> done;
    private final long startNanos = System.nanoTime();
    private final AtomicBoolean given = new AtomicBoolean();
    private volatile @Nullable Future<?> deadline;
    private volatile @Nullable String awaited;

    public FirstResult(Consumer<ProbeResult> done) {
        this.done = done;
    }

    /**
     * Sets the task that ends the check at the deadline. The task holds the channel, so it is cancelled when
     * there is an outcome: with thousands of backends, waiting for the deadline would be too long.
     */
    public void deadline(Future<?> task) {
        deadline = task;
        if (given.get()) {
            task.cancel(false);
        }
    }

    public void passed(String text) {
        give(true, text);
    }

    public void failed(String text) {
        give(false, text);
    }

    /**
     * Records that the backend has responded and that the load balancer must do the remaining work.
     *
     * @param text the result if the deadline expires first
     */
    public void awaitsUs(String text) {
        awaited = text;
    }

    /**
     * Handles the end of the deadline: the backend has failed, unless the remaining work is the load balancer's
     * own.
     */
    public void late(String text) {
        String ours = awaited;
        if (ours != null) {
            none(ours);
        } else {
            failed(text);
        }
    }

    /** Reports that the check could not run for a local reason. */
    public void none(String text) {
        give(took -> ProbeResult.none(took, text));
    }

    /** Whether there is an outcome. */
    public boolean isGiven() {
        return given.get();
    }

    private void give(boolean ok, String text) {
        give(took -> new ProbeResult(ok, took, text));
    }

    private void give(Function<Duration, ProbeResult> result) {
        if (given.compareAndSet(false, true)) {
            Future<?> task = deadline;
            if (task != null) {
                task.cancel(false);
            }
            done.accept(result.apply(Duration.ofNanos(System.nanoTime() - startNanos)));
        }
    }
}
