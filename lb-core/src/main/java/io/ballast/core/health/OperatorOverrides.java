package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.balance.Member;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import java.util.ArrayList;
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
 * The active overrides of operators. This class finds the overridden backends and pools, waits until the overrides
 * apply to new requests, and passes them to a store. There are three {@linkplain OverrideKind kinds}: the state of a
 * backend ({@link StateOverrides}), its weight ({@link WeightOverrides}), and the maintenance of a pool
 * ({@link MaintenanceOverrides}). An override is stored in its {@link Backend} or {@link Pool}, so reloads preserve it.
 *
 * <p>Thread safety: the methods of {@link Operator} and {@link #restore} may be called from any thread; all other
 * methods are confined to the control plane.
 */
public final class OperatorOverrides implements Operator {

    private final ControlPlane control;
    private final Supplier<Topology> topology;
    private final Consumer<Backend> closeConnections;
    private final Consumer<OverrideSnapshot> snapshotConsumer;
    private final StateOverrides states;
    private final WeightOverrides weights;
    private final MaintenanceOverrides maintenance;

    /**
     * @param topology supplies the active topology
     * @param retire closes idle connections, tunnels and sessions of a backend; called on the control plane's thread
     * @param store receives all overrides after each change, on the control plane's thread; must not block
     */
    public OperatorOverrides(
            ControlPlane control,
            HealthMonitor health,
            Supplier<Topology> topology,
            Consumer<Backend> retire,
            Consumer<OverrideSnapshot> store) {
        this.control = control;
        this.topology = topology;
        this.closeConnections = retire;
        this.snapshotConsumer = store;
        this.states = new StateOverrides(control, this::saveSnapshot, health, retire);
        this.weights = new WeightOverrides(control, this::saveSnapshot, health);
        this.maintenance = new MaintenanceOverrides(control, this::saveSnapshot, health);
    }

    @Override
    public CompletableFuture<Outcome> overrideState(
            String pool, String address, StateOverride order, boolean confirmed) {
        return applyTo(pool, address, backend -> {
            boolean takesOut = order.kind().state().isTakenOut();
            if (takesOut && !confirmed && backend.isLastUsable()) {
                return CompletableFuture.completedFuture(Outcome.LAST_USABLE);
            }
            states.apply(backend, order);
            saveSnapshot();
            return whenStateApplied(backend, order);
        });
    }

    private CompletableFuture<Outcome> whenStateApplied(OverriddenBackend backend, StateOverride order) {
        return whenApplied(backend).thenApply(done -> {
            if (order.kind().state() == BackendState.MAINTENANCE) {
                closeConnections.accept(backend.backend());
            }
            return Outcome.DONE;
        });
    }

    @Override
    public CompletableFuture<Outcome> overrideWeight(
            String pool, String address, WeightOverride order, boolean confirmed) {
        return applyTo(pool, address, backend -> {
            if (order.weight() == 0 && !confirmed && backend.isLastUsable()) {
                return CompletableFuture.completedFuture(Outcome.LAST_USABLE);
            }
            weights.apply(backend, order);
            saveSnapshot();
            return whenApplied(backend).thenApply(done -> Outcome.DONE);
        });
    }

    @Override
    public CompletableFuture<Outcome> removeWeightOverride(String pool, String address, String who) {
        return applyTo(pool, address, backend -> {
            weights.removeOverride(backend, who);
            return whenApplied(backend).thenApply(done -> Outcome.DONE);
        });
    }

    @Override
    public CompletableFuture<Outcome> startMaintenance(String name, OverrideTerms terms) {
        return applyTo(name, pool -> {
            maintenance.apply(pool, terms);
            saveSnapshot();
            return whenApplied(pool).thenApply(done -> Outcome.DONE);
        });
    }

    @Override
    public CompletableFuture<Outcome> endMaintenance(String name, String who) {
        return applyTo(name, pool -> {
            maintenance.removeOverride(pool, who);
            return whenApplied(pool).thenApply(done -> Outcome.DONE);
        });
    }

    @Override
    public CompletableFuture<Outcome> enable(String pool, String address, String who) {
        return applyTo(pool, address, backend -> {
            states.removeOverride(backend, who);
            weights.removeOverride(backend, who);
            return whenApplied(backend).thenApply(done -> Outcome.DONE);
        });
    }

    /**
     * Restores saved overrides. Expired overrides and overrides of removed backends are not restored, but
     * recorded in the timeline. Must be called before there are connections, because this method does not close
     * any.
     *
     * @return completes when the overrides apply to new requests
     */
    public CompletableFuture<Void> restore(OverrideSnapshot kept) {
        return control.call(() -> {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            kept.stateOverrides().forEach(each -> restore(states, each.pool(), each.address(), each.override(), all));
            kept.weights().forEach(each -> restore(weights, each.pool(), each.address(), each.override(), all));
            kept.pools().forEach(each -> restore(each, all));
            if (all.size() < kept.size()) {
                saveSnapshot();
            }
            return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
        });
    }

    /**
     * Restores an override, unless it has expired, and adds a future to {@code followed} that completes when the
     * override takes effect.
     */
    private <O> void restore(
            OverrideKind<OverriddenBackend, O> kind,
            String pool,
            String address,
            O order,
            List<CompletableFuture<Void>> followed) {
        Optional<OverriddenBackend> backend = pool(pool).flatMap(found -> OverriddenBackend.find(found, address));
        if (kind.restore(pool + "/" + address, backend, order)) {
            followed.add(whenApplied(backend.orElseThrow()));
        }
    }

    private void restore(ActiveMaintenance each, List<CompletableFuture<Void>> followed) {
        Optional<Pool> pool = pool(each.pool());
        if (maintenance.restore(each.pool(), pool, each.terms())) {
            followed.add(whenApplied(pool.orElseThrow()));
        }
    }

    /**
     * Makes the active overrides equal to those of another source, such as other nodes. Overrides of backends that do
     * not exist here, and expired overrides, are ignored. Must be called on the control plane's thread.
     *
     * @param who the source of the overrides, for the timeline
     */
    public void adopt(OverrideSnapshot wanted, String who) {
        Map<OverriddenBackend, StateOverride> wantedStates = new LinkedHashMap<>();
        Map<OverriddenBackend, WeightOverride> wantedWeights = new LinkedHashMap<>();
        Map<Pool, OverrideTerms> wantedPools = new LinkedHashMap<>();
        wanted.stateOverrides()
                .forEach(each -> find(each.pool(), each.address())
                        .ifPresent(backend -> wantedStates.put(backend, each.override())));
        wanted.weights()
                .forEach(each -> find(each.pool(), each.address())
                        .ifPresent(backend -> wantedWeights.put(backend, each.override())));
        wanted.pools().forEach(each -> pool(each.pool()).ifPresent(pool -> wantedPools.put(pool, each.terms())));
        states.adopt(wantedStates, who).forEach((backend, order) -> {
            CompletableFuture<Outcome> unused = whenStateApplied(backend, order);
        });
        weights.adopt(wantedWeights, who);
        maintenance.adopt(wantedPools, who);
        saveSnapshot();
    }

    private Optional<OverriddenBackend> find(String pool, String address) {
        return pool(pool).flatMap(found -> OverriddenBackend.find(found, address));
    }

    /** Drops overrides of removed backends. Called on the control plane's thread after a topology was activated. */
    public void dropRemoved() {
        Set<Backend> present = topology.get().poolList().stream()
                .flatMap(pool -> pool.members().stream())
                .map(Member::backend)
                .collect(Collectors.toSet());
        boolean changed = states.retain(each -> present.contains(each.backend()));
        changed |= weights.retain(each -> present.contains(each.backend()));
        changed |= maintenance.retain(pool -> pool.equals(topology.get().pools().get(pool.name())));
        if (changed) {
            saveSnapshot();
        }
    }

    // ---- overrides of one pool or one backend

    private CompletableFuture<Outcome> applyTo(
            String poolName, String address, Function<OverriddenBackend, CompletableFuture<Outcome>> action) {
        return applyTo(
                poolName,
                pool -> OverriddenBackend.find(pool, address)
                        .map(action)
                        .orElseGet(() -> CompletableFuture.completedFuture(Outcome.NO_SUCH_BACKEND)));
    }

    private CompletableFuture<Outcome> applyTo(String name, Function<Pool, CompletableFuture<Outcome>> action) {
        return control.call(
                () -> pool(name).map(action).orElseGet(() -> CompletableFuture.completedFuture(Outcome.NO_SUCH_POOL)));
    }

    private Optional<Pool> pool(String name) {
        return Optional.ofNullable(topology.get().pools().get(name));
    }

    private CompletableFuture<Void> whenApplied(Pool pool) {
        return SnapshotWait.untilApplied(control, pool);
    }

    private CompletableFuture<Void> whenApplied(OverriddenBackend backend) {
        return SnapshotWait.untilApplied(control, backend);
    }

    // ---- stored overrides

    private void saveSnapshot() {
        snapshotConsumer.accept(snapshot());
    }

    /** All active overrides. Must be called on the control plane's thread. */
    public OverrideSnapshot snapshot() {
        return new OverrideSnapshot(
                states.all((each, order) -> new ActiveStateOverride(
                        each.backend().pool(), each.backend().address().toString(), order)),
                weights.all((each, order) -> new ActiveWeightOverride(
                        each.backend().pool(), each.backend().address().toString(), order)),
                maintenance.all((pool, terms) -> new ActiveMaintenance(pool.name(), terms)));
    }
}
