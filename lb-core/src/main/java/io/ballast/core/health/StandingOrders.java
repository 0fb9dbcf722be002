package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.backend.Order;
import io.ballast.core.backend.OrderTerms;
import io.ballast.core.backend.WeightOrder;
import io.ballast.core.balance.Member;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolSnapshot;
import io.ballast.core.pool.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The orders of operators that are in force: applies them, ends them when their time is over, and has them kept. Each stands
 * at its {@link Backend}, so reloads leave it alone. What a backend is and what it weighs are ordered apart.
 *
 * <p>Thread safety: the methods of {@link Operator} and {@link #restore} may be called from any thread; everything else is
 * confined to the control plane.
 */
public final class StandingOrders implements Operator {

    private static final String GONE = "no longer in the configuration";
    private static final String EXPIRED = "it has expired";
    private static final Logger LOG = LoggerFactory.getLogger(StandingOrders.class);

    private final ControlPlane control;
    private final HealthMonitor health;
    private final Supplier<Topology> topology;
    private final Consumer<Backend> retire;
    private final Consumer<OrderBook> keeper;
    private final OrderEnds<Backend> ordered;
    private final OrderEnds<Backend> weighed;
    /** The deadlines of drains. */
    private final OrderEnds<Backend> cuts;

    private final OrderEnds<Pool> maintained;

    /**
     * @param topology the one in force
     * @param retire has no connection to a backend used again, and cuts tunnels and sessions that lead there; called on the control plane's thread
     * @param keeper is given all orders whenever they change, on the control plane's thread; must not block
     */
    public StandingOrders(
            ControlPlane control,
            HealthMonitor health,
            Supplier<Topology> topology,
            Consumer<Backend> retire,
            Consumer<OrderBook> keeper) {
        this.control = control;
        this.health = health;
        this.topology = topology;
        this.retire = retire;
        this.keeper = keeper;
        this.ordered = new OrderEnds<>(control);
        this.weighed = new OrderEnds<>(control);
        this.cuts = new OrderEnds<>(control);
        this.maintained = new OrderEnds<>(control);
    }

    @Override
    public CompletableFuture<Outcome> order(String pool, String address, Order order, boolean confirmed) {
        return with(pool, address, (found, backend) -> {
            boolean takesOut = order.kind().state().isTakenOut();
            if (takesOut && !confirmed && isLastUsable(found, backend)) {
                return CompletableFuture.completedFuture(Outcome.LAST_USABLE);
            }
            CompletableFuture<Void> followed = apply(found, backend, order);
            keep();
            return followed.thenApply(done -> {
                if (order.kind().state() == BackendState.MAINTENANCE) {
                    retire.accept(backend);
                }
                return Outcome.DONE;
            });
        });
    }

    @Override
    public CompletableFuture<Outcome> weigh(String pool, String address, WeightOrder order, boolean confirmed) {
        return with(pool, address, (found, backend) -> {
            if (order.weight() == 0 && !confirmed && isLastUsable(found, backend)) {
                return CompletableFuture.completedFuture(Outcome.LAST_USABLE);
            }
            CompletableFuture<Void> followed = apply(found, backend, order);
            keep();
            return followed.thenApply(done -> Outcome.DONE);
        });
    }

    @Override
    public CompletableFuture<Outcome> weighByFile(String pool, String address, String who) {
        return with(pool, address, (found, backend) -> {
            endWeight(found, backend, who);
            return followed(found, backend).thenApply(done -> Outcome.DONE);
        });
    }

    @Override
    public CompletableFuture<Outcome> maintain(String name, OrderTerms terms) {
        return with(name, pool -> {
            CompletableFuture<Void> followed = apply(pool, terms);
            keep();
            return followed.thenApply(done -> Outcome.DONE);
        });
    }

    @Override
    public CompletableFuture<Outcome> serve(String name, String who) {
        return with(name, pool -> {
            endMaintenance(pool, who);
            return followed(pool).thenApply(done -> Outcome.DONE);
        });
    }

    @Override
    public CompletableFuture<Outcome> enable(String pool, String address, String who) {
        return with(pool, address, (found, backend) -> {
            end(backend, who);
            endWeight(found, backend, who);
            return followed(found, backend).thenApply(done -> Outcome.DONE);
        });
    }

    /**
     * Puts in force what was kept when the process ended, but for what has expired and backends that are gone; the timeline
     * tells of these. To be called before there are connections, since none is retired.
     *
     * @return completes when new requests follow
     */
    public CompletableFuture<Void> restore(OrderBook kept) {
        CompletableFuture<Void> restored = new CompletableFuture<>();
        control.execute(() -> {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            kept.orders()
                    .forEach(each -> restore(
                            each.pool(),
                            each.address(),
                            each.order().terms(),
                            nameOf(each.order()),
                            all,
                            (pool, backend) -> apply(pool, backend, each.order())));
            kept.weights()
                    .forEach(each -> restore(
                            each.pool(),
                            each.address(),
                            each.order().terms(),
                            nameOf(each.order()),
                            all,
                            (pool, backend) -> apply(pool, backend, each.order())));
            kept.pools().forEach(each -> restore(each, all));
            if (all.size() < kept.size()) {
                keep();
            }
            CompletableFuture<Void> unused = CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                    .thenRun(() -> restored.complete(null));
        });
        return restored;
    }

    /** Adds to {@code applied}, unless what was kept is over. */
    private void restore(
            String poolName,
            String address,
            OrderTerms terms,
            String name,
            List<CompletableFuture<Void>> applied,
            BiFunction<Pool, Backend, CompletableFuture<Void>> apply) {
        Optional<Pool> pool = Optional.ofNullable(topology.get().pools().get(poolName));
        Optional<Backend> backend = pool.flatMap(found -> find(found, address));
        if (backend.isEmpty()) {
            dropped(poolName + "/" + address, name, GONE);
        } else if (terms.hasExpired(control.clock().instant())) {
            dropped(poolName + "/" + address, name, EXPIRED);
        } else {
            applied.add(apply.apply(pool.get(), backend.get()));
        }
    }

    private void restore(StandingMaintenance each, List<CompletableFuture<Void>> applied) {
        Pool pool = topology.get().pools().get(each.pool());
        if (pool == null) {
            dropped(each.pool(), nameOf(each.terms()), GONE);
        } else if (each.terms().hasExpired(control.clock().instant())) {
            dropped(each.pool(), nameOf(each.terms()), EXPIRED);
        } else {
            applied.add(apply(pool, each.terms()));
        }
    }

    /** Drops the orders for backends that are gone. Called on the control plane's thread when another topology is in force. */
    public void follow() {
        Set<Backend> present = topology.get().poolList().stream()
                .flatMap(pool -> pool.members().stream())
                .map(Member::backend)
                .collect(Collectors.toSet());
        boolean changed = false;
        for (Backend backend : ordered.subjects()) {
            if (!present.contains(backend)) {
                backend.order().ifPresent(order -> dropped(backend.toString(), nameOf(order), GONE));
                backend.order(Optional.empty());
                changed |= ordered.remove(backend);
                cuts.remove(backend);
            }
        }
        for (Backend backend : weighed.subjects()) {
            if (!present.contains(backend)) {
                backend.weightOrder().ifPresent(order -> dropped(backend.toString(), nameOf(order), GONE));
                backend.weightOrder(Optional.empty());
                changed |= weighed.remove(backend);
            }
        }
        for (Pool pool : maintained.subjects()) {
            if (!pool.equals(topology.get().pools().get(pool.name()))) {
                pool.maintenance().ifPresent(terms -> dropped(pool.name(), nameOf(terms), GONE));
                pool.maintenance(Optional.empty());
                changed |= maintained.remove(pool);
            }
        }
        if (changed) {
            keep();
        }
    }

    // ---- one backend

    @FunctionalInterface
    private interface Action {
        CompletableFuture<Outcome> on(Pool pool, Backend backend);
    }

    private CompletableFuture<Outcome> with(String poolName, String address, Action action) {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        control.execute(() -> {
            Pool pool = topology.get().pools().get(poolName);
            if (pool == null) {
                outcome.complete(Outcome.NO_SUCH_POOL);
                return;
            }
            Optional<Backend> backend = find(pool, address);
            if (backend.isEmpty()) {
                outcome.complete(Outcome.NO_SUCH_BACKEND);
                return;
            }
            CompletableFuture<Void> unused = action.on(pool, backend.get()).thenAccept(outcome::complete);
        });
        return outcome;
    }

    private CompletableFuture<Outcome> with(String name, Function<Pool, CompletableFuture<Outcome>> action) {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        control.execute(() -> {
            Pool pool = topology.get().pools().get(name);
            if (pool == null) {
                outcome.complete(Outcome.NO_SUCH_POOL);
                return;
            }
            CompletableFuture<Void> unused = action.apply(pool).thenAccept(outcome::complete);
        });
        return outcome;
    }

    private static Optional<Backend> find(Pool pool, String address) {
        return pool.members().stream()
                .map(Member::backend)
                .filter(backend -> backend.address().toString().equals(address))
                .findFirst();
    }

    private static boolean isLastUsable(Pool pool, Backend backend) {
        List<Backend> usable = pool.members().stream()
                .filter(Member::isUsable)
                .map(Member::backend)
                .toList();
        return usable.equals(List.of(backend));
    }

    private CompletableFuture<Void> apply(Pool pool, Backend backend, Order order) {
        health.order(backend, order);
        ordered.add(backend, order.terms(), () -> end(backend, OrderEnds.endOf(order.terms())));
        cuts.remove(backend);
        if (order.deadline().isPresent()) {
            OrderTerms terms = new OrderTerms(order.who(), order.why(), order.since(), order.deadline());
            cuts.add(backend, terms, () -> cut(backend));
        }
        return followed(pool, backend);
    }

    private CompletableFuture<Void> apply(Pool pool, Backend backend, WeightOrder order) {
        backend.weightOrder(Optional.of(order));
        tell(
                backend.toString(),
                "weighs " + order.weight() + " by order of " + order.terms().text());
        health.refresh(pool);
        weighed.add(backend, order.terms(), () -> endWeight(pool, backend, OrderEnds.endOf(order.terms())));
        return followed(pool, backend);
    }

    private CompletableFuture<Void> apply(Pool pool, OrderTerms terms) {
        pool.maintenance(Optional.of(terms));
        tell(pool.name(), "under maintenance by order of " + terms.text());
        health.refresh(pool);
        maintained.add(pool, terms, () -> endMaintenance(pool, OrderEnds.endOf(terms)));
        return followed(pool);
    }

    private void endMaintenance(Pool pool, String who) {
        if (maintained.remove(pool)) {
            pool.maintenance(Optional.empty());
            tell(pool.name(), "no longer under maintenance, by " + who);
            health.refresh(pool);
            keep();
        }
    }

    /** Completes when the snapshot in force has as many members as the pool's state says. */
    private CompletableFuture<Void> followed(Pool pool) {
        return SnapshotWait.until(
                control,
                pool,
                snapshot -> snapshot.healthy().size()
                        == members(pool)
                                .filter(member -> member.backend().isResolved())
                                .count());
    }

    /** Those that are to take traffic. */
    private static Stream<Member> members(Pool pool) {
        return pool.maintenance().isPresent()
                ? Stream.empty()
                : pool.members().stream().filter(Member::isUsable).map(Member::inForce);
    }

    private void cut(Backend backend) {
        cuts.remove(backend);
        tell(backend.toString(), "the deadline of its drain is over: tunnels and sessions are cut");
        retire.accept(backend);
    }

    private void end(Backend backend, String who) {
        if (ordered.remove(backend)) {
            cuts.remove(backend);
            health.enable(backend, who);
            keep();
        }
    }

    private void endWeight(Pool pool, Backend backend, String who) {
        if (weighed.remove(backend)) {
            backend.weightOrder(Optional.empty());
            tell(backend.toString(), "weighs what the file says again by " + who);
            health.refresh(pool);
            keep();
        }
    }

    /** Completes when the snapshot in force says of the backend what its state and its weight say. */
    private CompletableFuture<Void> followed(Pool pool, Backend backend) {
        return SnapshotWait.until(control, pool, snapshot -> agrees(pool, snapshot, backend));
    }

    private static boolean agrees(Pool pool, PoolSnapshot snapshot, Backend backend) {
        Optional<Integer> wanted = weight(members(pool), backend);
        Optional<Integer> used = weight(snapshot.healthy().stream(), backend);
        return used.equals(wanted) || used.equals(wanted.map(weight -> weight * backend.slowStartTenths()));
    }

    private static Optional<Integer> weight(Stream<Member> members, Backend backend) {
        return members.filter(member -> member.backend().equals(backend))
                .map(Member::weight)
                .findFirst();
    }

    // ---- kept

    private void keep() {
        List<StandingOrder> orders = new ArrayList<>();
        for (Backend backend : ordered.subjects()) {
            backend.order()
                    .ifPresent(order -> orders.add(
                            new StandingOrder(backend.pool(), backend.address().toString(), order)));
        }
        List<StandingWeight> weights = new ArrayList<>();
        for (Backend backend : weighed.subjects()) {
            backend.weightOrder()
                    .ifPresent(order -> weights.add(
                            new StandingWeight(backend.pool(), backend.address().toString(), order)));
        }
        List<StandingMaintenance> pools = new ArrayList<>();
        for (Pool pool : maintained.subjects()) {
            pool.maintenance().ifPresent(terms -> pools.add(new StandingMaintenance(pool.name(), terms)));
        }
        keeper.accept(new OrderBook(orders, weights, pools));
    }

    private static String nameOf(Order order) {
        return "order to be " + order.kind().state().label() + " by " + order.text();
    }

    private static String nameOf(WeightOrder order) {
        return "order to weigh " + order.weight() + " by " + order.terms().text();
    }

    private static String nameOf(OrderTerms terms) {
        return "order of maintenance by " + terms.text();
    }

    private void dropped(String subject, String order, String why) {
        tell(subject, order + " dropped: " + why);
    }

    private void tell(String subject, String text) {
        control.timeline().add(Origin.OPERATOR, subject, text);
        LOG.info("backend={} msg=\"{}\"", subject, text.replace('"', '\''));
    }
}
