package io.ballast.dns.zone.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.HealthMonitor;
import io.ballast.core.testing.ManualProbe;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.core.testing.Pools;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.TtlConfig;
import io.ballast.dns.config.zone.WhenAllDown;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Routes;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.ZoneInputs;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests that the TTL is the time until checks could change the answer, and is updated at once. */
class TtlFollowsHealthTest {

    /** A time longer than any check interval with its jitter. */
    private static final Duration LONG = Duration.ofSeconds(30);

    private static final Duration SETTLED = Duration.ofMillis(999);

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ControlPlane control = scheduler.controlPlane();
    private final ManualProbe probe = new ManualProbe();
    private final HealthMonitor monitor = new HealthMonitor(control, probe, new SplittableRandom(7));
    private final ZoneFixture fixture = new ZoneFixture()
            .pool(
                    "checked",
                    Pools.tcpEvery(Duration.ofSeconds(20)),
                    ZoneFixture.backend("192.0.2.1"),
                    ZoneFixture.backend("192.0.2.2"))
            .zone(
                    "example.com",
                    service("ranged", new TtlConfig(Duration.ofSeconds(2), Duration.ofSeconds(60))),
                    service("capped", new TtlConfig(Duration.ofSeconds(5), Duration.ofSeconds(10))),
                    service("fixed", TtlConfig.fixed(Duration.ofSeconds(30))));

    private final AnswererClient client = new AnswererClient(CompiledZones.start(
            fixture.dns(), new ZoneInputs(fixture.topology(), Optional.empty(), scheduler::nanoTime)));

    private static ServiceConfig service(String name, TtlConfig ttl) {
        return new ServiceConfig(name, Routes.pool("checked"), ttl, WhenAllDown.ALL, Optional.empty());
    }

    @BeforeEach
    void watch() {
        monitor.watch(fixture.topology());
        scheduler.runDue();
        probe.next().succeed("connected");
        probe.next().succeed("connected");
        scheduler.advance(SETTLED);
    }

    @Test
    void healthyTtlCoversDetectionTime() {
        // The next check comes in 20 s; if it fails, two more can fail within a second each.
        assertThat(ttls()).containsExactly(22L, 10L, 30L);
    }

    @Test
    void failedCheckShortensTtl() {
        scheduler.advance(LONG);
        check("192.0.2.1");
        scheduler.advance(SETTLED);

        assertThat(ttls()).as("two more, a second apart").containsExactly(2L, 5L, 30L);
        assertThat(addresses()).as("no backend is down yet").hasSize(2);
    }

    @Test
    void successRestoresTtl() {
        scheduler.advance(LONG);
        check("192.0.2.1");
        scheduler.advance(Duration.ofSeconds(2));
        check("none");
        scheduler.advance(SETTLED);

        assertThat(ttls()).containsExactly(22L, 10L, 30L);
    }

    @Test
    void decisiveCheckChangesAnswerImmediately() {
        scheduler.advance(LONG);
        check("192.0.2.1");
        scheduler.advance(Duration.ofSeconds(2));
        check("192.0.2.1");
        scheduler.advance(Duration.ofSeconds(2));
        assertThat(addresses()).hasSize(2);

        check("192.0.2.1");
        scheduler.runDue();

        assertThat(addresses()).containsExactly("192.0.2.2");
        // A down backend recovers after two successful checks, one second apart; the first is also one second away.
        assertThat(ttl("ranged")).isEqualTo(2L);
    }

    @Test
    void longOutagesAreCheckedLessOften() {
        scheduler.advance(LONG);
        for (int i = 0; i < 20; i++) {
            check("192.0.2.1");
            scheduler.advance(LONG);
        }
        check("192.0.2.1");
        scheduler.advance(SETTLED);

        assertThat(addresses()).containsExactly("192.0.2.2");
        assertThat(ttl("ranged")).as("20 s to the next check, and one more").isEqualTo(21L);
    }

    /** Completes all open checks; the checks of the host {@code failing} fail. */
    private void check(String failing) {
        while (!probe.open().isEmpty()) {
            ManualProbe.Check check = probe.next();
            if (((InetSocketAddress) check.target()).getHostString().equals(failing)) {
                check.fail("connection refused");
            } else {
                check.succeed("connected");
            }
        }
    }

    private List<Long> ttls() {
        return List.of(ttl("ranged"), ttl("capped"), ttl("fixed"));
    }

    private long ttl(String service) {
        Message response = client.query(service + ".example.com", Type.A);
        return response.getSection(Section.ANSWER).get(0).getTTL();
    }

    private List<String> addresses() {
        return Messages.answers(client.query("ranged.example.com", Type.A));
    }
}
