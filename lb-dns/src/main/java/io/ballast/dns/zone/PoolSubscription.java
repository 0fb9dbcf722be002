package io.ballast.dns.zone;

import io.ballast.core.backend.HealthStatus;
import io.ballast.core.balance.Member;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Registration;
import io.ballast.core.pool.Topology;
import io.ballast.dns.zone.service.DynamicServices;
import io.ballast.dns.zone.service.Service;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Recompiles the services of zones when their pools change.
 *
 * <p>New zones receive pool changes before they are activated, so that no change is lost. A service that the old and
 * the new zones share receives each check result once, through the active zones.
 *
 * <p>Thread safety: started by one thread, closed by any thread.
 */
final class PoolSubscription implements AutoCloseable {

    private final Executor compiler;
    private final Consumer<List<Service>> compileStale;
    private final List<Registration> registrations = new ArrayList<>();
    private final List<Runnable> deferredWatches = new ArrayList<>();
    private boolean closed;

    /**
     * Subscribes to the pools of services.
     *
     * @param compile callback that compiles services; run by the compiler
     * @param compileStale callback that compiles services with outdated answers; run by the compiler
     * @param shared services that the previous zones also use; the previous zones pass check results to them until
     *     {@link #watchShared} is called
     */
    static PoolSubscription start(
            Topology topology,
            List<Service> services,
            Set<Service> shared,
            Executor compiler,
            Consumer<List<Service>> compile,
            Consumer<List<Service>> compileStale) {
        Map<String, List<Service>> byPool = byPool(services);
        byPool.keySet().forEach(topology::pool); // throws if a pool is missing, before any pool is subscribed to
        PoolSubscription following = new PoolSubscription(compiler, compileStale);
        byPool.forEach((name, onPool) -> {
            Pool pool = topology.pool(name);
            CoalescingTask refreshed = new CoalescingTask(compiler, () -> compile.accept(onPool));
            following.registrations.add(pool.onRefresh(snapshot -> refreshed.request()));
            List<Service> dynamic = onPool.stream().filter(Service::isDynamic).toList();
            List<Service> own = dynamic.stream()
                    .filter(service -> !shared.contains(service))
                    .toList();
            following.watch(pool, own);
            recordLastChecks(pool, own);
            following.deferredWatches.add(() -> following.watch(
                    pool, dynamic.stream().filter(shared::contains).toList()));
        });
        return following;
    }

    private PoolSubscription(Executor compiler, Consumer<List<Service>> compileStale) {
        this.compiler = compiler;
        this.compileStale = compileStale;
    }

    private static Map<String, List<Service>> byPool(List<Service> services) {
        Map<String, List<Service>> byPool = new LinkedHashMap<>();
        for (Service service : services) {
            service.pools()
                    .forEach(pool -> byPool.computeIfAbsent(pool, name -> new ArrayList<>())
                            .add(service));
        }
        return byPool;
    }

    private void watch(Pool pool, List<Service> dynamic) {
        if (!dynamic.isEmpty()) {
            CoalescingTask settled = new CoalescingTask(compiler, () -> compileStale.accept(dynamic));
            registrations.add(pool.watch(new DynamicServices(dynamic, settled::request)));
        }
    }

    /**
     * Passes the most recent check results of a pool's members to the services. These results may be older
     * than the subscription, because checks start before zones are compiled.
     */
    private static void recordLastChecks(Pool pool, List<Service> dynamic) {
        if (dynamic.isEmpty()) {
            return;
        }
        for (Member member : pool.members()) {
            HealthStatus.LastCheck check = member.backend().health().lastCheck();
            dynamic.forEach(service -> service.recordCheck(member.backend(), check));
        }
    }

    /**
     * Starts to forward check results also to services that these zones share with the previous zones. Called
     * after the previous zones are closed.
     */
    synchronized void watchShared() {
        if (!closed) {
            deferredWatches.forEach(Runnable::run);
            deferredWatches.clear();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        registrations.forEach(Registration::close);
        registrations.clear();
        deferredWatches.clear();
    }
}
