package io.ballast.discovery.names;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ScheduledTask;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the names of backends again when their TTL ends, or soon after a failure, and reports changed
 * addresses. Addresses that change while another change is in progress are reported together. If the backends
 * of a name fail, the name is resolved to an address of the other family ({@link FamilyFallback}).
 *
 * <p>Thread safety: confined to the control plane; lookups run on other threads.
 */
public final class NameFollower {

    private final ControlPlane control;
    private final NameResolver names;
    private final Executor threads;
    private final Executor changes;
    private final Consumer<Map<String, InetAddress>> addressUpdater;
    private final Map<String, InetAddress> pendingAddresses = new HashMap<>();
    private Map<String, Followed> followedNames = Map.of();
    private @Nullable ScheduledTask watch;

    private static final class Followed {
        final FamilyFallback fallback = new FamilyFallback();
        List<Backend> backends = List.of();

        @Nullable ScheduledTask next;
    }

    /**
     * @param threads executor of lookups
     * @param changes executor that runs a task on the control plane while no other change of the topology is in
     *     progress
     * @param moved activates changed addresses, by name; executed by {@code changes}
     */
    public NameFollower(
            ControlPlane control,
            NameResolver names,
            Executor threads,
            Executor changes,
            Consumer<Map<String, InetAddress>> moved) {
        this.control = control;
        this.names = names;
        this.threads = threads;
        this.changes = changes;
        this.addressUpdater = moved;
    }

    /** Regularly looks up the names of the backends in {@code topology} from now on, and no other names. */
    public void follow(Topology topology) {
        Map<String, Followed> before = followedNames;
        Map<String, Followed> next = new LinkedHashMap<>();
        backendsByName(topology).forEach((name, backends) -> {
            Followed each = before.get(name);
            if (each == null) {
                each = new Followed();
                schedule(name, each);
            }
            each.backends = backends;
            next.put(name, each);
        });
        followedNames = next;
        before.forEach((name, each) -> {
            if (!next.containsKey(name) && each.next != null) {
                each.next.cancel();
            }
        });
        names.retainNames(next.keySet());
        scheduleWatch();
    }

    private void scheduleWatch() {
        if (watch == null && !followedNames.isEmpty()) {
            watch = control.scheduleTask(this::watch, FamilyFallback.PERIOD);
        }
    }

    private void watch() {
        watch = null;
        followedNames.forEach((name, each) -> {
            ScheduledTask next = each.next;
            if (each.fallback.isDue(each.backends) && next != null) { // absent while a lookup is running
                next.cancel();
                lookUp(name, each, names::switchFamily);
            }
        });
        scheduleWatch();
    }

    private static Map<String, List<Backend>> backendsByName(Topology topology) {
        Map<String, List<Backend>> backends = new LinkedHashMap<>();
        for (Pool pool : topology.poolList()) {
            for (Member member : pool.members()) {
                Backend backend = member.backend();
                if (NameResolver.isName(backend.address())) {
                    backends.computeIfAbsent(backend.address().host(), name -> new ArrayList<>())
                            .add(backend);
                }
            }
        }
        return backends;
    }

    private void schedule(String name, Followed each) {
        each.next = control.scheduleTask(() -> lookUp(name, each, names::lookUp), names.nextLookupDelay(name));
    }

    private void lookUp(String name, Followed each, Function<String, NameResolver.Known> question) {
        each.next = null;
        threads.execute(() -> {
            NameResolver.Known found = question.apply(name);
            control.execute(() -> handleAddress(name, each, found.address()));
        });
    }

    private void handleAddress(String name, Followed each, @Nullable InetAddress address) {
        if (followedNames.get(name) != each) {
            return;
        }
        schedule(name, each);
        if (address != null && each.backends.stream().anyMatch(backend -> !address.equals(backend.inetAddress()))) {
            if (pendingAddresses.isEmpty()) {
                changes.execute(this::reportAddresses);
            }
            pendingAddresses.put(name, address);
        }
    }

    private void reportAddresses() {
        Map<String, InetAddress> all = Map.copyOf(pendingAddresses);
        pendingAddresses.clear();
        addressUpdater.accept(all);
    }
}
