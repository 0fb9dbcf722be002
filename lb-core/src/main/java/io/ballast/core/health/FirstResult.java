package io.ballast.core.health;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the first outcome of a check with its duration, and ignores later outcomes. Thread safety: any thread may
 * report an outcome.
 */
public final class FirstResult {

    private final Consumer<ProbeResult> done;
    private final long startNanos = System.nanoTime();
    private final AtomicBoolean completed = new AtomicBoolean();
    private volatile @Nullable Future<?> deadline;
    private volatile @Nullable String localWorkText;

    public FirstResult(Consumer<ProbeResult> done) {
        this.done = done;
    }

    /**
     * Sets the task that ends the check at the deadline. The task references the channel, so it is cancelled when
     * there is an outcome. With thousands of backends, the channels must not stay in memory until the deadline.
     */
    public void deadline(Future<?> task) {
        deadline = task;
        if (completed.get()) {
            task.cancel(false);
        }
    }

    public void passed(String text) {
        complete(true, text);
    }

    public void failed(String text) {
        complete(false, text);
    }

    /**
     * Records that the backend has responded. The check then waits only until the load balancer has done its
     * own work.
     *
     * @param text the text of the result if the deadline expires before this work is done
     */
    public void markLocalWorkPending(String text) {
        localWorkText = text;
    }

    /**
     * Called when the deadline expires. The check counts as failed, unless the backend has responded and only
     * work of this load balancer is pending.
     */
    public void onDeadline(String text) {
        String localWork = localWorkText;
        if (localWork != null) {
            skipped(localWork);
        } else {
            failed(text);
        }
    }

    /** Reports that the check could not run for a local reason. */
    public void skipped(String text) {
        complete(took -> ProbeResult.skipped(took, text));
    }

    /** Whether there is an outcome. */
    public boolean isComplete() {
        return completed.get();
    }

    private void complete(boolean ok, String text) {
        complete(took -> new ProbeResult(ok, took, text));
    }

    private void complete(Function<Duration, ProbeResult> result) {
        if (completed.compareAndSet(false, true)) {
            Future<?> task = deadline;
            if (task != null) {
                task.cancel(false);
            }
            done.accept(result.apply(Duration.ofNanos(System.nanoTime() - startNanos)));
        }
    }
}
