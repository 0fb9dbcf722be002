package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ScheduledTask;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolSnapshot;
import io.ballast.core.pool.Registration;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Waits until new requests use the changed snapshot. */
final class SnapshotWait {

    /** Maximum wait for a pool to be compiled; the future then completes without a matching snapshot. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    private SnapshotWait() {}

    /** Returns a future that completes when the active snapshot has the state and the weight of the backend. */
    static CompletableFuture<Void> untilApplied(ControlPlane control, OverriddenBackend ordered) {
        Pool pool = ordered.pool();
        return until(control, pool, snapshot -> isApplied(pool, snapshot, ordered.backend()));
    }

    /**
     * Returns a future that completes when the active snapshot has as many healthy members as the pool has
     * members that should take traffic.
     */
    static CompletableFuture<Void> untilApplied(ControlPlane control, Pool pool) {
        return until(
                control,
                pool,
                snapshot -> snapshot.healthy().size()
                        == members(pool)
                                .filter(member -> member.backend().isResolved())
                                .count());
    }

    /** Returns the members that should take traffic. */
    private static Stream<Member> members(Pool pool) {
        return pool.maintenance().isPresent()
                ? Stream.empty()
                : pool.members().stream().filter(Member::isUsable).map(Member::withOverriddenWeight);
    }

    private static boolean isApplied(Pool pool, PoolSnapshot snapshot, Backend backend) {
        Optional<Integer> wanted = weight(members(pool), backend);
        Optional<Integer> used = weight(snapshot.healthy().stream(), backend);
        return used.equals(wanted) || used.equals(wanted.map(weight -> weight * backend.weightTenths()));
    }

    private static Optional<Integer> weight(Stream<Member> members, Backend backend) {
        return members.filter(member -> member.backend().equals(backend))
                .map(Member::weight)
                .findFirst();
    }

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
