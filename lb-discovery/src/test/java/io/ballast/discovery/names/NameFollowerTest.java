package io.ballast.discovery.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.AddressChange;
import io.ballast.core.pool.Topology;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.core.testing.Pools;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NameFollowerTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final Duration TTL = Duration.ofSeconds(10);

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ControlPlane control = scheduler.controlPlane();
    private final ScriptedLookup lookup = new ScriptedLookup();
    private final NameResolver names = new NameResolver(lookup, Runnable::run);
    private final Deque<Runnable> changes = new ArrayDeque<>();
    private final List<Map<String, InetAddress>> notified = new ArrayList<>();
    private final NameFollower follower = new NameFollower(control, names, Runnable::run, changes::add, notified::add);

    private final Backend app = named("app");
    private final Backend other = named("other");
    private final Backend literal = named("10.0.0.9");
    private final Topology running = Pools.topology(Pools.pool("web", HealthConfig.DEFAULT, app, other, literal));

    @Test
    void resolvesAgainAfterTtl() throws UnknownHostException {
        lookup.set("app", TTL, "10.0.0.1");
        lookup.set("other", TTL.multipliedBy(2), "10.0.0.1");
        follow();

        scheduler.advance(TTL.minusMillis(1));
        assertThat(lookup.queried).isEmpty();

        scheduler.advance(Duration.ofMillis(1));
        assertThat(lookup.queried).containsExactly("app");

        scheduler.advance(TTL);
        assertThat(lookup.queried).containsExactlyInAnyOrder("app", "app", "other");
        assertThat(changes).isEmpty();
    }

    @Test
    void movesDuringChangeAreAppliedTogetherAfterwards() throws UnknownHostException {
        lookup.set("app", TTL, "10.0.0.1");
        lookup.set("other", TTL.multipliedBy(2), "10.0.0.1");
        follow();
        lookup.set("app", TTL, "10.0.0.2");
        lookup.set("other", TTL, "10.0.0.3");

        scheduler.advance(TTL.multipliedBy(2));
        assertThat(changes).hasSize(1);
        changes.remove().run();

        assertThat(notified)
                .containsExactly(
                        Map.of("app", InetAddress.getByName("10.0.0.2"), "other", InetAddress.getByName("10.0.0.3")));
    }

    @Test
    void repeatedMovesAreReported() throws UnknownHostException {
        lookup.set("app", TTL, "10.0.0.1");
        lookup.set("other", TTL, "10.0.0.1");
        follow();
        for (int i = 2; i < 5; i++) {
            lookup.set("app", TTL, "10.0.0." + i);
            scheduler.advance(TTL);
            changes.remove().run();
            AddressChange.of(running, notified.get(notified.size() - 1)).commit(Instant.EPOCH);
        }

        assertThat(notified).hasSize(3);
        assertThat(app.socketAddress()).isEqualTo(new InetSocketAddress("10.0.0.4", 80));
    }

    @Test
    void failuresKeepAddressAndAreRetried() throws UnknownHostException {
        lookup.set("app", TTL, "10.0.0.1");
        lookup.set("other", TTL, "10.0.0.1");
        follow();
        lookup.forget("app");

        scheduler.advance(TTL);
        scheduler.advance(NameResolver.MIN);
        assertThat(lookup.queried).containsExactlyInAnyOrder("app", "other", "app");
        assertThat(changes).isEmpty();

        lookup.set("app", TTL, "10.0.0.5");
        scheduler.advance(Duration.ofSeconds(2));
        changes.remove().run();

        assertThat(notified).containsExactly(Map.of("app", InetAddress.getByName("10.0.0.5")));
    }

    @Test
    void unusedNameIsNotResolved() throws UnknownHostException {
        lookup.set("app", TTL, "10.0.0.1");
        lookup.set("other", TTL, "10.0.0.1");
        follow();

        follower.follow(Pools.topology(Pools.pool("web", HealthConfig.DEFAULT, other)));
        scheduler.advance(TTL);

        assertThat(lookup.queried).containsExactly("other");
    }

    @Test
    void failingBackendSwitchesAddressFamily() throws UnknownHostException {
        lookup.set("app", TTL, "10.0.0.1", "2001:db8::1");
        lookup.set("other", TTL, "10.0.0.1");
        follow();

        app.health(failed(HealthStatus.Origin.CHECK));
        scheduler.advance(FamilyFallback.PERIOD);
        move();
        assertThat(address(app)).isEqualTo("2001:db8:0:0:0:0:0:1");
        assertThat(address(other)).as("its backend does not fail").isEqualTo("10.0.0.1");

        app.health(HealthStatus.unchecked(Instant.EPOCH));
        scheduler.advance(TTL.multipliedBy(3));
        assertThat(changes)
                .as("the address that works is kept, though there is one of IPv4")
                .isEmpty();

        app.health(failed(HealthStatus.Origin.PASSIVE));
        scheduler.advance(FamilyFallback.PERIOD);
        move();
        assertThat(address(app)).isEqualTo("10.0.0.1");
    }

    @Test
    void failureInBothFamiliesSwitchesWithBackoff() throws UnknownHostException {
        lookup.set("app", Duration.ofMinutes(5), "10.0.0.1", "2001:db8::1");
        lookup.set("other", Duration.ofMinutes(5), "10.0.0.1");
        follow();
        app.health(failed(HealthStatus.Origin.CHECK));

        List<Integer> seconds = new ArrayList<>();
        for (int second = 1; second <= 80; second++) {
            scheduler.advance(FamilyFallback.PERIOD);
            if (!changes.isEmpty()) {
                move();
                seconds.add(second);
            }
        }

        assertThat(seconds).containsExactly(1, 11, 31, 71);
    }

    @Test
    void overriddenAndSingleFamilyBackendsDoNotSwitch() throws UnknownHostException {
        lookup.set("app", TTL, "10.0.0.1", "2001:db8::1");
        lookup.set("other", TTL, "10.0.0.1");
        follow();
        app.health(failed(HealthStatus.Origin.OPERATOR));
        other.health(failed(HealthStatus.Origin.CHECK));

        scheduler.advance(Duration.ofMinutes(2));

        assertThat(changes).isEmpty();
    }

    @Test
    void usableBackendPreventsSwitch() throws UnknownHostException {
        lookup.set("app", TTL, "10.0.0.1", "2001:db8::1");
        names.lookUpAll(List.of("app"), TIMEOUT);
        follower.follow(Pools.topology(Pools.pool("web", HealthConfig.DEFAULT, app, named("app"))));
        app.health(failed(HealthStatus.Origin.CHECK));

        scheduler.advance(Duration.ofMinutes(2));

        assertThat(changes).isEmpty();
    }

    private void move() {
        changes.remove().run();
        AddressChange.of(running, notified.get(notified.size() - 1)).commit(Instant.EPOCH);
    }

    private static String address(Backend backend) {
        return ((InetSocketAddress) backend.socketAddress()).getAddress().getHostAddress();
    }

    private static HealthStatus failed(HealthStatus.Origin origin) {
        return new HealthStatus(
                BackendState.DOWN, Instant.EPOCH, origin, "connection refused", HealthStatus.LastCheck.NONE);
    }

    /** Looks up all names, as a process does at its start, and begins to follow them. */
    private void follow() {
        names.lookUpAll(List.of("app", "other"), TIMEOUT);
        lookup.queried.clear();
        follower.follow(running);
    }

    private static Backend named(String host) {
        return new Backend(
                0,
                "web",
                new HostPort(host, 80),
                new InetSocketAddress("10.0.0.1", 80),
                /* maxInFlight= */ 0,
                /* shards= */ 1,
                HealthStatus.unknown(Instant.EPOCH));
    }
}
