package io.ballast.core.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.HealthStatus.LastCheck;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.config.HostPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DowntimeTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final Backend backend = new Backend(
            0,
            "web",
            new HostPort("127.0.0.1", 1),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
            0,
            1,
            HealthStatus.unknown(START));

    @Test
    void countsOutagesAndSumsTheirDurations() {
        become(BackendState.DOWN, 10);
        become(BackendState.UP, 15);
        become(BackendState.DOWN, 100);

        assertThat(backend.downtime().outages()).isEqualTo(2);
        assertThat(total(107)).isEqualTo(Duration.ofSeconds(12));
    }

    @Test
    void secondDownReasonBelongsToSameOutage() {
        become(BackendState.DOWN, 10);
        become(BackendState.DOWN, 20);

        assertThat(backend.downtime().outages()).isEqualTo(1);
        assertThat(total(30)).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void overrideIsNoOutageAndEndsOutage() {
        become(BackendState.DRAINING, 10);
        become(BackendState.EJECTED, 20);
        assertThat(total(30)).isZero();
        become(BackendState.DOWN, 30);
        become(BackendState.MAINTENANCE, 40);

        assertThat(total(100)).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void clockSetBackKeepsDowntime() {
        become(BackendState.DOWN, 10);
        become(BackendState.UP, 15);
        become(BackendState.DOWN, 20);
        become(BackendState.UP, 18);

        assertThat(total(0)).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void backendWithoutAddressStartsDown() {
        Backend unresolved = new Backend(
                0,
                "web",
                new HostPort("a.example", 1),
                InetSocketAddress.createUnresolved("a.example", 1),
                0,
                1,
                HealthStatus.withoutAddress("a.example", START));

        assertThat(unresolved.downtime().outages()).isEqualTo(1);
        assertThat(unresolved.downtime().total(START.plusSeconds(3))).isEqualTo(Duration.ofSeconds(3));
    }

    private void become(BackendState state, int second) {
        backend.health(new HealthStatus(state, START.plusSeconds(second), Origin.CHECK, "", LastCheck.NONE));
    }

    private Duration total(int second) {
        return backend.downtime().total(START.plusSeconds(second));
    }
}
