package io.ballast.core.pool;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.backend.LoadCells;
import io.ballast.core.balance.Member;
import io.ballast.core.config.Address;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.BallastConfig;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.UnixSocket;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Builds a {@link Topology} out of a configuration. Confined to the control plane. */
public final class TopologyBuilder {

    private final AtomicInteger nextBackendId = new AtomicInteger();
    private final Function<HostPort, InetSocketAddress> resolver;
    private final int shards;
    private final Clock clock;

    /**
     * @param resolver turns an address as written into one to connect to; may block
     * @param shards how many event loops count requests
     */
    public TopologyBuilder(Function<HostPort, InetSocketAddress> resolver, int shards, Clock clock) {
        this.resolver = resolver;
        this.shards = shards;
        this.clock = clock;
    }

    public Topology build(BallastConfig config) {
        Map<String, Pool> pools = new LinkedHashMap<>();
        LoadCells load = new LoadCells(config.pools().values().stream()
                .mapToInt(pool -> pool.backends().size())
                .sum());
        config.pools().forEach((name, pool) -> pools.put(name, new Pool(pool, members(pool, load), shards)));
        return new Topology(config, pools);
    }

    private List<Member> members(PoolConfig pool, LoadCells load) {
        return pool.backends().stream()
                .map(backend -> new Member(backend(pool, backend, load), backend.weight(), backend.priority()))
                .toList();
    }

    private Backend backend(PoolConfig pool, BackendConfig backend, LoadCells load) {
        return new Backend(
                nextBackendId.getAndIncrement(),
                pool.name(),
                backend.address(),
                socketAddress(backend.address()),
                pool.connections().mostInFlight(),
                shards,
                firstStatus(pool),
                load);
    }

    private SocketAddress socketAddress(Address address) {
        return address instanceof HostPort host
                ? resolver.apply(host)
                : UnixDomainSocketAddress.of(((UnixSocket) address).path());
    }

    private HealthStatus firstStatus(PoolConfig pool) {
        if (pool.health().check() instanceof HealthCheck.None) {
            return new HealthStatus(
                    BackendState.UP,
                    clock.instant(),
                    HealthStatus.Origin.START,
                    "not checked by configuration",
                    HealthStatus.LastCheck.NONE);
        }
        return HealthStatus.unknown(clock.instant());
    }
}
