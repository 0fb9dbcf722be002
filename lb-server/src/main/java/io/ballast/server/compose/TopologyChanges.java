package io.ballast.server.compose;

import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

/**
 * Executes changes of the topology, one at a time, on a thread that may block. While the previous process still owns
 * affected resources, changes wait for {@link #activate}. Thread-safe.
 */
final class TopologyChanges implements Executor, AutoCloseable {

    private final ControlPlane control;
    private final Background thread = Background.of("reload", /* max= */ 1);
    private final CountDownLatch activated = new CountDownLatch(1);

    /** @param follows whether this process takes over from a previous process that is still serving */
    TopologyChanges(ControlPlane control, boolean follows) {
        this.control = control;
        if (follows) {
            thread.execute(this::awaitActivation);
        }
    }

    private void awaitActivation() {
        try {
            activated.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the balancer was closed first
        }
    }

    /** Called when the previous process has released its resources. */
    void activate() {
        activated.countDown();
    }

    @Override
    public void execute(Runnable change) {
        thread.execute(change);
    }

    /** Runs a task on the control plane's thread while no other change of the topology is under way. */
    void executeOnControlPlane(Runnable task) {
        execute(() -> {
            try {
                control.call(() -> {
                            task.run();
                            return CompletableFuture.completedFuture(null);
                        })
                        .get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException e) {
                throw new IllegalStateException("failed to apply a change of the topology", e);
            }
        });
    }

    @Override
    public void close() {
        thread.close();
    }
}
