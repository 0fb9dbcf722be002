package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.backend.Order;
import io.ballast.core.balance.Member;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ScheduledTask;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolSnapshot;
import io.ballast.core.pool.Registration;
import io.ballast.core.pool.Topology;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The orders of operators that are in force: applies them, ends them when their time is over, and has them kept. Each stands
 * at its {@link Backend}, so reloads leave it alone.
 *
 * <p>Thread safety: the methods of {@link Operator} and {@link #restore} may be called from any thread; everything else is
 * confined to the control plane.
 */
public final class StandingOrders implements Operator {

    private static final Logger LOG = LoggerFactory.getLogger(StandingOrders.class);

    /** For a pool to be compiled; an answer comes after that in any case. */
    private static final Duration MOST_WAIT = Duration.ofSeconds(5);

    /** The wall clock is looked at again after this time, since it may be set. */
    private static final Duration CLOCK_TRUSTED = Duration.ofMinutes(1);

    private final ControlPlane control;
    private final HealthMonitor health;
    private final Supplier<Topology> topology;
    private final Consumer<Backend> retire;
    private final Consumer<List<StandingOrder>> keeper;
    private final Set<Backend> ordered = new LinkedHashSet<>();
    private final Map<Backend, ScheduledTask> ends = new HashMap<>();

    /**
     * @param topology the one in force
     * @param retire has no connection to a backend used again; called on the control plane's thread
     * @param keeper is given all orders whenever they change, on the control plane's thread; must not block
     */
    public StandingOrders(
            ControlPlane control,
            HealthMonitor health,
            Supplier<Topology> topology,
            Consumer<Backend> retire,
            Consumer<List<StandingOrder>> keeper) {
        this.control = control;
        this.health = health;
        this.topology = topology;
        this.retire = retire;
        this.keeper = keeper;
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
    public CompletableFuture<Outcome> enable(String pool, String address, String who) {
        return with(pool, address, (found, backend) -> {
            end(backend, who);
            return followed(found, backend).thenApply(done -> Outcome.DONE);
        });
    }

    /**
     * Puts in force what was kept when the process ended, but for what has expired and backends that are gone; the timeline
     * tells of these. To be called before there are connections, since none is retired.
     *
     * @return completes when new requests follow
     */
    public CompletableFuture<Void> restore(List<StandingOrder> kept) {
        CompletableFuture<Void> restored = new CompletableFuture<>();
        control.execute(() -> {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            Instant now = control.clock().instant();
            for (StandingOrder each : kept) {
                Optional<Pool> pool = Optional.ofNullable(topology.get().pools().get(each.pool()));
                Optional<Backend> backend = pool.flatMap(found -> find(found, each.address()));
                if (backend.isEmpty()) {
                    dropped(each.subject(), each.order(), "no longer in the configuration");
                } else if (each.order().hasExpired(now)) {
                    dropped(each.subject(), each.order(), "it has expired");
                } else {
                    all.add(apply(pool.get(), backend.get(), each.order()));
                }
            }
            if (all.size() < kept.size()) {
                keep();
            }
            CompletableFuture<Void> unused = CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                    .thenRun(() -> restored.complete(null));
        });
        return restored;
    }

    /** Drops the orders for backends that are gone. Called on the control plane's thread when another topology is in force. */
    public void follow() {
        Set<Backend> present = topology.get().poolList().stream()
                .flatMap(pool -> pool.members().stream())
                .map(Member::backend)
                .collect(Collectors.toSet());
        List<Backend> gone =
                ordered.stream().filter(backend -> !present.contains(backend)).toList();
        for (Backend backend : gone) {
            backend.order().ifPresent(order -> dropped(backend.toString(), order, "no longer in the configuration"));
            backend.order(Optional.empty());
            forget(backend);
        }
        if (!gone.isEmpty()) {
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

    private static Optional<Backend> find(Pool pool, String address) {
        return pool.members().stream()
                .map(Member::backend)
                .filter(backend -> backend.address().toString().equals(address))
                .findFirst();
    }

    private static boolean isLastUsable(Pool pool, Backend backend) {
        List<Backend> usable = pool.members().stream()
                .filter(StandingOrders::isUsable)
                .map(Member::backend)
                .toList();
        return usable.equals(List.of(backend));
    }

    private static boolean isUsable(Member member) {
        return member.weight() > 0 && member.backend().health().state().isUsable();
    }

    private CompletableFuture<Void> apply(Pool pool, Backend backend, Order order) {
        forget(backend);
        health.order(backend, order);
        ordered.add(backend);
        order.until().ifPresent(until -> endLater(backend, order, until));
        return followed(pool, backend);
    }

    private void endLater(Backend backend, Order order, Instant until) {
        Duration left = Duration.between(control.clock().instant(), until);
        Duration wait = left.compareTo(CLOCK_TRUSTED) > 0 ? CLOCK_TRUSTED : left;
        ends.put(backend, control.scheduleTask(() -> endIfExpired(backend, order, until), wait));
    }

    private void endIfExpired(Backend backend, Order order, Instant until) {
        if (order.hasExpired(control.clock().instant())) {
            end(backend, "the end of the order of " + Order.signed(order.who(), order.why()));
        } else {
            endLater(backend, order, until);
        }
    }

    private void end(Backend backend, String who) {
        if (forget(backend)) {
            health.enable(backend, who);
            keep();
        }
    }

    /** Whether there was an order. */
    private boolean forget(Backend backend) {
        ScheduledTask end = ends.remove(backend);
        if (end != null) {
            end.cancel();
        }
        return ordered.remove(backend);
    }

    // ---- traffic follows

    /** Completes when the snapshot in force says of the backend what its state says. */
    private CompletableFuture<Void> followed(Pool pool, Backend backend) {
        if (agrees(pool, pool.snapshot(), backend)) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> followed = new CompletableFuture<>();
        Registration listening = pool.onRefresh(snapshot -> {
            if (agrees(pool, snapshot, backend)) {
                followed.complete(null);
            }
        });
        ScheduledTask patience = control.scheduleTask(() -> followed.complete(null), MOST_WAIT);
        return followed.thenRun(() -> {
            listening.close();
            patience.cancel();
        });
    }

    private static boolean agrees(Pool pool, PoolSnapshot snapshot, Backend backend) {
        boolean wanted =
                pool.members().stream().anyMatch(member -> member.backend().equals(backend) && isUsable(member));
        boolean used =
                snapshot.usable().stream().anyMatch(member -> member.backend().equals(backend));
        return wanted == used;
    }

    // ---- kept

    private void keep() {
        List<StandingOrder> all = new ArrayList<>();
        for (Backend backend : ordered) {
            backend.order()
                    .ifPresent(order -> all.add(
                            new StandingOrder(backend.pool(), backend.address().toString(), order)));
        }
        keeper.accept(all);
    }

    private void dropped(String subject, Order order, String why) {
        String text = "order to be " + order.kind().state().label() + " by " + order.text() + " dropped: " + why;
        control.timeline().add(Origin.OPERATOR, subject, text);
        LOG.info("backend={} msg=\"{}\"", subject, text.replace('"', '\''));
    }
}
