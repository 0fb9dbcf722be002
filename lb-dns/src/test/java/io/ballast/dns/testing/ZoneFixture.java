package io.ballast.dns.testing;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.balance.Member;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.core.pool.TopologyBuilder;
import io.ballast.core.testing.Connections;
import io.ballast.core.testing.Pools;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.config.DnsUdpKind;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.ZoneConfig;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Pools and zones for a test, with backend states set by the test. */
public final class ZoneFixture {

    public static final Duration TTL = Duration.ofSeconds(30);
    public static final Duration NEGATIVE_TTL = Duration.ofMinutes(1);
    public static final Duration NS_TTL = Duration.ofHours(1);

    private static final BackendConnections ONE_AT_A_TIME =
            new Connections().maxInFlight(1).build();

    private final Map<String, PoolConfig> pools = new LinkedHashMap<>();
    private final List<ZoneConfig> zones = new ArrayList<>();
    private DnsUdpKind udp = DnsUdpKind.AUTO;
    private Optional<DnssecConfig> dnssec = Optional.empty();
    private Topology topology;

    public static BackendConfig backend(String host) {
        return backend(host, 80, 1, 0);
    }

    public static BackendConfig backend(String host, int port, int weight, int priority) {
        return new BackendConfig(new HostPort(host, port), weight, priority);
    }

    /** A backup backend. */
    public static BackendConfig backup(String host) {
        return new BackendConfig(new HostPort(host, 80), 1, 0, /* backup= */ true, /* region= */ Optional.empty());
    }

    public static ServiceConfig service(String name, String pool) {
        return service(name, pool, Routing.ROUND_ROBIN, ServiceConfig.ALL);
    }

    public static ServiceConfig service(String name, String pool, Routing routing, int answers) {
        return new ServiceConfig(name, pool, routing, TTL, answers);
    }

    /** Adds a pool without checks; its backends are up and take one HTTP exchange at a time. */
    public ZoneFixture pool(String name, BackendConfig... backends) {
        return pool(name, Pools.UNCHECKED, backends);
    }

    public ZoneFixture pool(String name, HealthConfig health, BackendConfig... backends) {
        pools.put(
                name,
                PoolConfig.builder(name)
                        .backends(List.of(backends))
                        .health(health)
                        .connections(ONE_AT_A_TIME)
                        .build());
        return this;
    }

    /** Adds a pool of loopback resolvers without checks or query limits. */
    public ZoneFixture resolvers(String name, FakeResolver... resolvers) {
        return resolvers(
                name, Arrays.stream(resolvers).mapToInt(FakeResolver::port).toArray());
    }

    /** Adds a pool of resolvers on these ports. */
    public ZoneFixture resolvers(String name, int... ports) {
        return resolvers(name, StrategyKind.ROUND_ROBIN, ports);
    }

    /** Adds a pool of resolvers on these ports with a strategy. */
    public ZoneFixture resolvers(String name, StrategyKind strategy, int... ports) {
        pools.put(
                name,
                PoolConfig.builder(name)
                        .strategy(StrategyConfig.of(strategy))
                        .backends(Arrays.stream(ports)
                                .mapToObj(port -> backend("127.0.0.1", port, 1, 0))
                                .toList())
                        .health(Pools.UNCHECKED)
                        .build());
        return this;
    }

    /**
     * Sets the panic threshold of a pool for HTTP: if a smaller percentage of the backends is healthy, all backends are
     * used.
     */
    public ZoneFixture panicBelow(String pool, int percent) {
        pools.computeIfPresent(
                pool,
                (name, before) -> before.toBuilder().panicBelowPercent(percent).build());
        return this;
    }

    /** Signs zones that are added later. */
    public ZoneFixture signed(DnssecConfig how) {
        dnssec = Optional.of(how);
        return this;
    }

    /** Adds a zone with two name servers, one inside it and one outside. */
    public ZoneFixture zone(String name, ServiceConfig... services) {
        return zone(name, Optional.empty(), services);
    }

    /** Adds a zone with the records of a zone file. */
    public ZoneFixture zone(String name, Path file, ServiceConfig... services) {
        return zone(name, Optional.of(file), services);
    }

    private ZoneFixture zone(String name, Optional<Path> file, ServiceConfig... services) {
        String primary = name.equals(".") ? "ns1" : "ns1." + name;
        ZoneConfig.SoaConfig soa = new ZoneConfig.SoaConfig(
                primary,
                "hostmaster.elsewhere.net",
                4_000_000_000L,
                Duration.ofHours(2),
                Duration.ofHours(1),
                Duration.ofDays(14),
                NEGATIVE_TTL);
        List<String> servers = List.of(primary, "ns2.elsewhere.net");
        zones.add(new ZoneConfig(name, soa, servers, NS_TTL, file, dnssec, List.of(services)));
        return this;
    }

    /** Sets the UDP implementation. */
    public ZoneFixture udp(DnsUdpKind kind) {
        udp = kind;
        return this;
    }

    public DnsConfig dns(HostPort... listeners) {
        return dns(
                DnsTcpConfig.DEFAULT,
                Arrays.stream(listeners).map(DnsListenerConfig::plain).toArray(DnsListenerConfig[]::new));
    }

    public DnsConfig dns(DnsTcpConfig tcp, DnsListenerConfig... listeners) {
        return new DnsConfig(List.of(listeners), udp, tcp, zones);
    }

    /** Returns the pools, always the same instance; all backends are initially up. */
    public Topology topology() {
        if (topology == null) {
            topology = new TopologyBuilder(
                            address -> new InetSocketAddress(address.host(), address.port()), 1, Clock.systemUTC())
                    .build(pools);
        }
        return topology;
    }

    /** Removes the zones, so that other zones can be added for the same pools. */
    public void withoutZones() {
        zones.clear();
    }

    /** Sets the state of a host's backends, as a health check or an operator would. */
    public void set(String pool, String host, BackendState state) {
        set(pool, backend -> backend.address().host().equals(host), state);
    }

    public void set(String pool, String host, int port, BackendState state) {
        set(pool, backend -> backend.address().equals(new HostPort(host, port)), state);
    }

    private void set(String pool, Predicate<Backend> which, BackendState state) {
        Pool changed = topology().pool(pool);
        changed.members().stream().map(Member::backend).filter(which).forEach(backend -> set(backend, state));
        changed.refresh();
    }

    /** Fills every backend of a pool to its limit of exchanges. */
    public void fill(String pool) {
        topology()
                .pool(pool)
                .members()
                .forEach(member -> member.backend().inFlight().begin());
    }

    private static void set(Backend backend, BackendState state) {
        backend.health(
                new HealthStatus(state, Instant.EPOCH, HealthStatus.Origin.CHECK, "test", HealthStatus.LastCheck.NONE));
    }
}
