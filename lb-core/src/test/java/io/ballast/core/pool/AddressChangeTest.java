package io.ballast.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.testing.Pools;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AddressChangeTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Backend app = named("app.internal", new InetSocketAddress("10.0.0.1", 80));
    private final Backend other = named("other.internal", new InetSocketAddress("10.0.0.9", 80));
    private final Backend lost = named("lost.internal", InetSocketAddress.createUnresolved("lost.internal", 80));

    @Test
    void onlyBackendsOfNameMove() throws UnknownHostException {
        Pool web = Pools.pool("web", HealthConfig.DEFAULT, app, other);
        Pool rest = Pools.pool("rest", HealthConfig.DEFAULT, named("other.internal", other.socketAddress()));
        HealthStatus before = app.health();

        AddressChange change = AddressChange.of(Pools.topology(web, rest), addresses("app.internal", "10.0.0.2"));
        change.commit(NOW);

        assertThat(change.pools()).containsExactly(web);
        assertThat(change.moves())
                .extracting(move -> move.backend() + " " + move.text())
                .containsExactly("web/app.internal:80 moves from 10.0.0.1 to 10.0.0.2");
        assertThat(app.socketAddress()).isEqualTo(new InetSocketAddress("10.0.0.2", 80));
        assertThat(other.socketAddress()).isEqualTo(new InetSocketAddress("10.0.0.9", 80));
        assertThat(app.health()).isEqualTo(before);
    }

    @Test
    void unchangedAddressIsNoMove() throws UnknownHostException {
        Topology running = Pools.topology(Pools.pool("web", HealthConfig.DEFAULT, app));

        assertThat(AddressChange.of(running, addresses("app.internal", "10.0.0.1"))
                        .pools())
                .isEmpty();
    }

    @Test
    void uncheckedBackendIsUpWithAddress() throws UnknownHostException {
        Pool web = Pools.pool("web", Pools.UNCHECKED, lost);
        assertThat(web.snapshot().usable()).isEmpty();

        AddressChange.of(Pools.topology(web), addresses("lost.internal", "10.0.0.3"))
                .commit(NOW);

        assertThat(lost.health()).isEqualTo(HealthStatus.unchecked(NOW));
        assertThat(web.compile().usable()).hasSize(1);
    }

    @Test
    void checkedBackendWaitsForCheck() throws UnknownHostException {
        Pool web = Pools.pool("web", HealthConfig.DEFAULT, lost);

        AddressChange.of(Pools.topology(web), addresses("lost.internal", "10.0.0.3"))
                .commit(NOW);

        assertThat(lost.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(lost.health().reason()).isEqualTo("not checked yet at 10.0.0.3");
    }

    @Test
    void overriddenBackendStaysOut() throws UnknownHostException {
        Pool web = Pools.pool("web", Pools.UNCHECKED, lost);
        StateOverride down = new StateOverride(StateOverride.Kind.DOWN, "ann", "new disk", NOW, Optional.empty());
        HealthStatus ordered = new HealthStatus(
                BackendState.MAINTENANCE, NOW, HealthStatus.Origin.OPERATOR, "by order", HealthStatus.LastCheck.NONE);
        lost.stateOverride(Optional.of(down));
        lost.health(ordered);

        AddressChange.of(Pools.topology(web), addresses("lost.internal", "10.0.0.3"))
                .commit(NOW);

        assertThat(lost.isResolved()).isTrue();
        assertThat(lost.health()).isEqualTo(ordered);
        assertThat(web.compile().usable()).isEmpty();
    }

    private static Map<String, InetAddress> addresses(String name, String address) throws UnknownHostException {
        return Map.of(name, InetAddress.getByName(address));
    }

    private static Backend named(String host, SocketAddress at) {
        HealthStatus health = at instanceof InetSocketAddress inet && inet.isUnresolved()
                ? HealthStatus.withoutAddress(host, Instant.EPOCH)
                : HealthStatus.unknown(Instant.EPOCH);
        return new Backend(0, "web", new HostPort(host, 80), at, 0, 1, health);
    }
}
