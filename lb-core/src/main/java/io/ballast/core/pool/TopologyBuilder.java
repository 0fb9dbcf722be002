package io.ballast.core.pool;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.backend.LoadCells;
import io.ballast.core.balance.Member;
import io.ballast.core.config.Address;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.geo.Geography;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds each {@link Topology} of a process from a configuration and the previous topology. Used by one
 * thread at a time, which may block; the control plane activates the result.
 */
public final class TopologyBuilder {

    private final BackendIds ids = new BackendIds();
    private final Function<HostPort, InetSocketAddress> resolver;
    private final int shards;
    private final Clock clock;
    private final Supplier<@Nullable Geography> geography;

    /**
     * @param resolver resolves a configured address to a socket address; may block; throws
     *     {@link IllegalStateException} if the name has no address
     * @param shards number of event loops that count requests
     */
    public TopologyBuilder(Function<HostPort, InetSocketAddress> resolver, int shards, Clock clock) {
        this(resolver, shards, clock, () -> null);
    }

    /** @param geography called when a pool is compiled; supplies null if no client locations are available */
    public TopologyBuilder(
            Function<HostPort, InetSocketAddress> resolver,
            int shards,
            Clock clock,
            Supplier<@Nullable Geography> geography) {
        this.geography = geography;
        this.resolver = resolver;
        this.shards = shards;
        this.clock = clock;
    }

    /** Builds the first topology. It includes backends whose name cannot be resolved; their state is down. */
    public Topology build(Map<String, PoolConfig> configs) {
        ResolvedAddresses addresses = ResolvedAddresses.resolveAll(configs, Map.of(), resolver);
        LoadCells load = new LoadCells(countBackends(configs));
        Map<String, Pool> pools = new LinkedHashMap<>();
        configs.forEach((name, pool) -> pools.put(name, newPool(pool, addresses, load)));
        return new Topology(configs, pools);
    }

    /**
     * Builds the next topology. Existing pools with the same name, and their backends with the same configured
     * address, are reused as objects. Names are resolved again; an existing backend keeps its address if its name
     * cannot be resolved. The running topology is not changed.
     */
    public TopologyChange next(Map<String, PoolConfig> configs, Topology running) {
        ResolvedAddresses addresses = ResolvedAddresses.resolveAll(configs, running.pools(), resolver);
        LoadCells load = new LoadCells(countBackends(configs));
        Map<String, Pool> pools = new LinkedHashMap<>();
        List<PoolChange> changes = new ArrayList<>();
        configs.forEach((name, next) -> {
            Pool pool = running.pools().get(name);
            if (pool == null) {
                pools.put(name, newPool(next, addresses, load));
                return;
            }
            pools.put(name, pool);
            PoolChange change = change(pool, next, addresses, load);
            if (!change.isEmpty()) {
                changes.add(change);
            }
        });
        return new TopologyChange(running, new Topology(configs, pools, running.generation() + 1), changes, ids, clock);
    }

    private static int countBackends(Map<String, PoolConfig> configs) {
        return configs.values().stream()
                .mapToInt(pool -> pool.backends().size())
                .sum();
    }

    private Pool newPool(PoolConfig config, ResolvedAddresses addresses, LoadCells load) {
        List<Member> members = config.backends().stream()
                .map(backend -> member(backend, newBackend(config, backend, addresses, load)))
                .toList();
        return new Pool(config, members, shards, geography);
    }

    private PoolChange change(Pool pool, PoolConfig next, ResolvedAddresses addresses, LoadCells load) {
        Map<Address, Backend> known = new HashMap<>();
        pool.members().forEach(member -> known.put(member.backend().address(), member.backend()));
        List<Member> members = new ArrayList<>();
        List<Backend> joining = new ArrayList<>();
        List<AddressMove> moves = new ArrayList<>();
        for (BackendConfig config : next.backends()) {
            Backend backend = known.remove(config.address());
            if (backend == null) {
                backend = newBackend(next, config, addresses, load);
                if (!next.slowStart().isZero()) {
                    backend.slowStartTenths(1);
                }
                joining.add(backend);
            } else if (!addresses.of(config.address()).equals(backend.socketAddress())) {
                moves.add(new AddressMove(backend, backend.socketAddress(), addresses.of(config.address())));
            }
            members.add(member(config, backend));
        }
        return new PoolChange(pool, next, members, joining, List.copyOf(known.values()), moves);
    }

    private static Member member(BackendConfig config, Backend backend) {
        return Member.of(backend, config);
    }

    private Backend newBackend(PoolConfig pool, BackendConfig backend, ResolvedAddresses addresses, LoadCells load) {
        SocketAddress socketAddress = addresses.of(backend.address());
        Backend made = new Backend(
                ids.allocate(),
                pool.name(),
                backend.address(),
                socketAddress,
                pool.connections().inFlightLimit(),
                shards,
                firstStatus(pool, backend.address(), socketAddress),
                load);
        made.secured(pool.tls().isPresent());
        return made;
    }

    private HealthStatus firstStatus(PoolConfig pool, Address address, SocketAddress socketAddress) {
        if (socketAddress instanceof InetSocketAddress inet && inet.isUnresolved()) {
            return HealthStatus.withoutAddress(address.host(), clock.instant());
        }
        return pool.health().check() instanceof HealthCheck.None
                ? HealthStatus.unchecked(clock.instant())
                : HealthStatus.unknown(clock.instant());
    }
}
