package io.ballast.core.health;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ScheduledTask;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolSnapshot;
import io.ballast.core.pool.Registration;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Waits until new requests use the changed snapshot. */
final class SnapshotWait {

    /** Maximum wait for a pool to be compiled; the future then completes without a matching snapshot. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    private SnapshotWait() {}

    /**
     * Returns a future that completes when the active snapshot matches {@code agrees}, or after the time limit.
     * Called on the control plane's thread.
     */
    static CompletableFuture<Void> until(ControlPlane control, Pool pool, Predicate<PoolSnapshot> agrees) {
        if (agrees.test(pool.snapshot())) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> followed = new CompletableFuture<>();
        Registration listening = pool.onRefresh(snapshot -> {
            if (agrees.test(snapshot)) {
                followed.complete(null);
            }
        });
        ScheduledTask timeout = control.scheduleTask(() -> followed.complete(null), MAX_WAIT);
        return followed.thenRun(() -> {
            listening.close();
            timeout.cancel();
        });
    }
}
