package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.ExternalOverride;
import io.ballast.core.balance.Member;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The overrides of external sources that apply on this node. This class finds the backends, enforces the limits, waits
 * until an override applies to new requests, and passes the overrides to a store. {@link SourceOverrides} applies them.
 * They are stored in the {@link Backend}, so reloads preserve them.
 *
 * <p>Thread safety: the methods of {@link ExternalOverrides} and {@link #restore} may be called from any thread; all
 * other methods are confined to the control plane.
 */
public final class ActiveExternalOverrides implements ExternalOverrides {

    /**
     * The time after which a renewal is saved. If the process is killed before that, the restored override has its
     * previous expiry.
     */
    static final Duration RENEWAL_DELAY = Duration.ofSeconds(1);

    private final ControlPlane control;
    private final Supplier<Topology> topology;
    private final Consumer<List<ExternalOverride>> store;
    private final ChangeListener listener;
    private final SourceOverrides overrides;
    private volatile List<ExternalOverride> all = List.of();
    private boolean isSavePending;
    private volatile Counts counts = Counts.NONE;

    /** Is notified of each override that a request sets, renews or removes. Called on the control plane's thread. */
    public interface ChangeListener {

        /** @param override absent if it was removed */
        void changed(ExternalOverride.Key key, Optional<ExternalOverride> override);
    }

    /**
     * @param topology supplies the active topology
     * @param store receives all overrides after each change, on the control plane's thread; must not block
     * @param listener must not block
     */
    public ActiveExternalOverrides(
            ControlPlane control,
            HealthMonitor health,
            Supplier<Topology> topology,
            Consumer<List<ExternalOverride>> store,
            ChangeListener listener) {
        this.control = control;
        this.topology = topology;
        this.store = store;
        this.listener = listener;
        this.overrides = new SourceOverrides(control, this::save, health, this::countExpiry);
    }

    @Override
    public CompletableFuture<Outcome> set(ExternalOverride override, boolean confirmed) {
        return find(override.pool(), override.address(), target -> setOn(target, override, confirmed))
                .thenApply(this::countIfRefused);
    }

    private CompletableFuture<Outcome> setOn(OverriddenBackend target, ExternalOverride override, boolean confirmed) {
        Backend backend = target.backend();
        Optional<ExternalOverride> before = backend.externalOverrides().of(override.source());
        if (before.isEmpty() && backend.externalOverrides().all().size() >= MAX_SOURCES) {
            return CompletableFuture.completedFuture(Outcome.TOO_MANY_SOURCES);
        }
        if (before.isEmpty() && overrides.size() >= MAX_OVERRIDES) {
            return CompletableFuture.completedFuture(Outcome.TOO_MANY);
        }
        ExternalOverride next = before.filter(override::isRenewalOf)
                .map(earlier -> override.withSince(earlier.since()))
                .orElse(override);
        boolean takesOut = backend.externalOverrides().with(next).isTakenOut();
        if (takesOut && !confirmed && target.isLastUsable()) {
            return CompletableFuture.completedFuture(Outcome.LAST_USABLE);
        }
        overrides.apply(new SourceOverrides.Subject(target, override.source()), next);
        if (next.since().equals(override.since())) {
            save();
        } else {
            saveLater();
        }
        count(1, 0, 0, 0);
        listener.changed(next.key(), Optional.of(next));
        return SnapshotWait.untilApplied(control, target).thenApply(done -> Outcome.DONE);
    }

    @Override
    public CompletableFuture<Outcome> remove(ExternalOverride.Key key, String who) {
        return find(key.pool(), key.address(), target -> {
            String why = "removed by " + who;
            if (!overrides.removeOverride(new SourceOverrides.Subject(target, key.source()), why)) {
                return CompletableFuture.completedFuture(Outcome.NO_SUCH_OVERRIDE);
            }
            count(0, 1, 0, 0);
            listener.changed(key, /* override= */ Optional.empty());
            return SnapshotWait.untilApplied(control, target).thenApply(done -> Outcome.DONE);
        });
    }

    @Override
    public List<ExternalOverride> all() {
        return all;
    }

    @Override
    public Counts counts() {
        return counts;
    }

    /**
     * Restores saved overrides. Expired overrides and overrides of removed backends are not restored, but recorded in
     * the timeline.
     *
     * @return completes when the overrides apply to new requests
     */
    public CompletableFuture<Void> restore(List<ExternalOverride> kept) {
        return control.call(() -> {
            List<CompletableFuture<Void>> followed = new ArrayList<>();
            for (ExternalOverride each : kept) {
                Optional<SourceOverrides.Subject> subject = subject(each.key());
                if (overrides.restore(each.pool() + "/" + each.address(), subject, each)) {
                    followed.add(SnapshotWait.untilApplied(
                            control, subject.orElseThrow().target()));
                }
            }
            all = overrides.active();
            if (followed.size() < kept.size()) {
                save();
            }
            return CompletableFuture.allOf(followed.toArray(CompletableFuture[]::new));
        });
    }

    /**
     * Makes the active overrides equal to those of another source, such as other nodes. Overrides of backends that do
     * not exist here, and expired ones, are ignored. Does not notify the listener. Must be called on the control
     * plane's thread.
     *
     * @param who the source of the overrides, for the timeline
     */
    public void adopt(Collection<ExternalOverride> wanted, String who) {
        Map<SourceOverrides.Subject, ExternalOverride> bySubject = new LinkedHashMap<>();
        for (ExternalOverride each : wanted) {
            subject(each.key()).ifPresent(subject -> bySubject.put(subject, each));
        }
        overrides.adopt(bySubject, who);
        save();
    }

    /**
     * Like {@link #adopt(Collection, String)}, for one override.
     *
     * @param wanted absent to remove the override
     */
    public void adopt(ExternalOverride.Key key, Optional<ExternalOverride> wanted, String who) {
        subject(key).ifPresent(subject -> {
            if (wanted.isEmpty()) {
                overrides.removeOverride(subject, "removed by " + who);
            } else if (overrides.adopt(subject, wanted.get())) {
                saveLater();
            }
        });
    }

    private Optional<SourceOverrides.Subject> subject(ExternalOverride.Key key) {
        return pool(key.pool())
                .flatMap(pool -> OverriddenBackend.find(pool, key.address()))
                .map(target -> new SourceOverrides.Subject(target, key.source()));
    }

    /** Drops overrides of removed backends. Called on the control plane's thread after a topology was activated. */
    public void dropRemoved() {
        Set<Backend> present = topology.get().poolList().stream()
                .flatMap(pool -> pool.members().stream())
                .map(Member::backend)
                .collect(Collectors.toSet());
        if (overrides.retain(each -> present.contains(each.backend()))) {
            save();
        }
    }

    private CompletableFuture<Outcome> find(
            String poolName, String address, Function<OverriddenBackend, CompletableFuture<Outcome>> action) {
        return control.call(() -> {
            Optional<Pool> pool = pool(poolName);
            if (pool.isEmpty()) {
                return CompletableFuture.completedFuture(Outcome.NO_SUCH_POOL);
            }
            return OverriddenBackend.find(pool.get(), address)
                    .map(action)
                    .orElseGet(() -> CompletableFuture.completedFuture(Outcome.NO_SUCH_BACKEND));
        });
    }

    private Optional<Pool> pool(String name) {
        Map<String, Pool> pools = topology.get().pools();
        return Optional.ofNullable(pools.get(name));
    }

    private Outcome countIfRefused(Outcome outcome) {
        if (outcome != Outcome.DONE) {
            control.execute(() -> count(0, 0, 0, 1));
        }
        return outcome;
    }

    private void countExpiry() {
        count(0, 0, 1, 0);
    }

    private void count(int set, int removed, int expired, int refused) {
        Counts now = counts;
        counts = new Counts(now.set() + set, now.removed() + removed, now.expired() + expired, now.refused() + refused);
    }

    private void save() {
        all = overrides.active();
        store.accept(all);
    }

    /**
     * Saves a renewal, which changes only the expiry. Sources renew often, so the renewals of a second are combined.
     */
    private void saveLater() {
        all = overrides.active();
        if (!isSavePending) {
            isSavePending = true;
            control.schedule(
                    () -> {
                        isSavePending = false;
                        save();
                    },
                    RENEWAL_DELAY);
        }
    }
}
