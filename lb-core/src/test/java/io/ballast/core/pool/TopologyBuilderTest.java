package io.ballast.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.balance.Member;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.UnixSocket;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.core.testing.Pools;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopologyBuilderTest {

    private static final int SHARDS = 2;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final List<HostPort> resolved = new ArrayList<>();
    private final TopologyBuilder builder = new TopologyBuilder(
            address -> {
                resolved.add(address);
                if (address.host().startsWith("app")) {
                    throw new IllegalStateException("no address");
                }
                return new InetSocketAddress(address.host(), address.port() + 1);
            },
            SHARDS,
            scheduler.clock());

    private final Topology model = Pools.topology(
            Pools.pool("web", HealthConfig.DEFAULT, Backends.weighted(3, 1)),
            Pools.pool("static", Pools.UNCHECKED, Backends.tiered(7)));

    @Test
    void buildsPoolsAndMembers() {
        Topology topology = builder.build(model.configs());

        assertThat(topology.configs()).isEqualTo(model.configs());
        assertThat(topology.pools()).containsOnlyKeys("web", "static");
        assertThat(topology.pool("web").members()).extracting(Member::weight).containsExactly(3, 1);
        assertThat(topology.pool("static").members())
                .extracting(Member::priority)
                .containsExactly(7);
    }

    @Test
    void backendsHaveIdsAndResolvedAddresses() {
        List<Backend> backends = backends(builder.build(model.configs()));

        assertThat(backends).extracting(Backend::id).containsExactly(0, 1, 2);
        assertThat(backends)
                .extracting(Backend::toString)
                .containsExactly("web/10.0.0.1:8080", "web/10.0.0.2:8080", "static/10.0.0.1:8080");
        assertThat(backends.get(0).socketAddress()).isEqualTo(new InetSocketAddress("10.0.0.1", 8081));
        assertThat(resolved).hasSize(2);
        assertThat(backends(builder.build(model.configs())))
                .extracting(Backend::id)
                .containsExactly(3, 4, 5);
    }

    @Test
    void unixSocketIsNotResolved() {
        UnixSocket address = new UnixSocket("/run/app.sock");
        Backend model = new Backend(
                0,
                "app",
                address,
                UnixDomainSocketAddress.of(address.path()),
                0,
                SHARDS,
                HealthStatus.unknown(Instant.EPOCH));
        Topology topology = builder.build(
                Pools.topology(Pools.pool("app", HealthConfig.DEFAULT, model)).configs());

        Backend backend = backends(topology).get(0);

        assertThat(resolved).isEmpty();
        assertThat(backend.socketAddress()).isEqualTo(UnixDomainSocketAddress.of("/run/app.sock"));
        assertThat(backend.inetAddress()).isNull();
        assertThat(backend).hasToString("app/unix:/run/app.sock");
        assertThat(backend.authorityBytes()).asString(StandardCharsets.US_ASCII).isEqualTo("localhost");
    }

    @Test
    void unresolvedBackendIsDown() {
        Topology topology = builder.build(Pools.topology(Pools.pool("web", HealthConfig.DEFAULT, named("app.internal")))
                .configs());

        Backend backend = backends(topology).get(0);

        assertThat(backend.isResolved()).isFalse();
        assertThat(backend.inetAddress()).isNull();
        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(backend.health().origin()).isEqualTo(HealthStatus.Origin.START);
        assertThat(backend.health().reason()).isEqualTo("no address: app.internal");
        assertThat(topology.pool("web").snapshot().usable()).isEmpty();
    }

    @Test
    void backendWithoutAddressIsNeverUsable() {
        Topology topology = builder.build(Pools.topology(Pools.pool("web", HealthConfig.DEFAULT, named("app.internal")))
                .configs());

        backends(topology).get(0).health(HealthStatus.unknown(Instant.EPOCH));

        assertThat(topology.pool("web").compile().usable()).isEmpty();
    }

    private static Backend named(String host) {
        return new Backend(
                0,
                "web",
                new HostPort(host, 80),
                InetSocketAddress.createUnresolved(host, 80),
                0,
                SHARDS,
                HealthStatus.unknown(Instant.EPOCH));
    }

    @Test
    void backendsHaveCountersForEachEventLoop() {
        Backend backend = backends(builder.build(model.configs())).get(0);

        for (int shard = 0; shard < SHARDS; shard++) {
            backend.stats().counters(shard).increment(BackendCounter.REQUESTS);
        }

        assertThat(backend.stats().sum(BackendCounter.REQUESTS)).isEqualTo(SHARDS);
    }

    @Test
    void checkedBackendsStartUnknownAndOthersUp() {
        List<Backend> backends = backends(builder.build(model.configs()));

        assertThat(backends)
                .extracting(backend -> backend.health().state())
                .containsExactly(BackendState.UNKNOWN, BackendState.UNKNOWN, BackendState.UP);
        assertThat(backends.get(2).health().reason()).isEqualTo("not checked: checks are off in the configuration");
        assertThat(backends)
                .extracting(backend -> backend.health().since())
                .containsOnly(scheduler.clock().instant());
    }

    private static List<Backend> backends(Topology topology) {
        return topology.poolList().stream()
                .flatMap(pool -> pool.members().stream())
                .map(Member::backend)
                .toList();
    }
}
