package io.ballast.dns.zone.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.balance.Member;
import io.ballast.core.config.LatencyConfig;
import io.ballast.core.net.IpAddress;
import io.ballast.core.pool.Pool;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.learn.RoundTripSample;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Routes;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.ZoneInputs;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

/** Tests that services select addresses by the latency of backend checks. */
class LatencyServiceTest {

    private static final LatencyConfig NEWEST_ONLY = settings(1, Optional.empty(), 20, Duration.ofSeconds(30));

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ZoneFixture fixture = new ZoneFixture()
            .pool("a", ZoneFixture.backend("192.0.2.1"))
            .pool("b", ZoneFixture.backend("192.0.2.2"))
            .pool("c", ZoneFixture.backend("192.0.2.3"))
            .pool("both", ZoneFixture.backend("192.0.2.11"), ZoneFixture.backend("192.0.2.12"));

    private static LatencyConfig settings(double alpha, Optional<Duration> max, int hysteresis, Duration hold) {
        return new LatencyConfig(alpha, max, hysteresis, hold, /* learned= */ false);
    }

    @Test
    void fastestTargetIsAnswered() {
        AnswererClient dnsClient = serving(nearest(NEWEST_ONLY));

        check("a", 40);
        check("b", 10);

        assertThat(queryA(dnsClient)).containsExactly("192.0.2.2");
    }

    @Test
    void choiceChangesBeyondHysteresis() {
        AnswererClient dnsClient = serving(nearest(NEWEST_ONLY));
        check("a", 100);
        check("b", 200);
        assertThat(queryA(dnsClient)).containsExactly("192.0.2.1");
        scheduler.advance(Duration.ofSeconds(31));

        check("b", 81);
        assertThat(queryA(dnsClient)).as("19%% faster").containsExactly("192.0.2.1");
        check("b", 79);
        assertThat(queryA(dnsClient)).as("21%% faster").containsExactly("192.0.2.2");
        check("a", 10);
        assertThat(queryA(dnsClient)).as("chosen a moment ago").containsExactly("192.0.2.2");
        scheduler.advance(Duration.ofSeconds(31));
        check("a", 10);
        assertThat(queryA(dnsClient)).containsExactly("192.0.2.1");
    }

    @Test
    void usesChecksFromBeforeCompilation() {
        checkedBefore("a", 40);
        checkedBefore("b", 10);

        AnswererClient dnsClient = serving(nearest(NEWEST_ONLY));

        assertThat(queryA(dnsClient)).containsExactly("192.0.2.2");
    }

    private void checkedBefore(String pool, long millis) {
        HealthStatus.LastCheck check = new HealthStatus.LastCheck(true, Duration.ofMillis(millis), "connected");
        fixture.topology().pool(pool).members().stream()
                .map(Member::backend)
                .forEach(backend -> backend.health(backend.health().with(check)));
    }

    @Test
    void downTargetIsLeftImmediately() {
        AnswererClient dnsClient = serving(nearest(NEWEST_ONLY));
        check("a", 10);
        check("b", 200);

        fixture.set("a", "192.0.2.1", BackendState.DOWN);

        assertThat(queryA(dnsClient)).containsExactly("192.0.2.2");
    }

    @Test
    void smoothsTimes() {
        AnswererClient dnsClient = serving(nearest(settings(0.3, Optional.empty(), 0, Duration.ZERO)));
        check("a", 100);
        check("b", 90);
        assertThat(queryA(dnsClient)).containsExactly("192.0.2.2");

        check("b", 120); // 90 + 0.3 x 30 = 99
        assertThat(queryA(dnsClient)).containsExactly("192.0.2.2");
        check("b", 120); // 99 + 0.3 x 21 = 105.3
        assertThat(queryA(dnsClient)).containsExactly("192.0.2.1");
    }

    @Test
    void failedChecksDoNotChangeTimes() {
        AnswererClient dnsClient = serving(nearest(settings(1, Optional.empty(), 0, Duration.ZERO)));
        check("a", 10);
        check("b", 20);

        checked("a", new HealthStatus.LastCheck(false, Duration.ofSeconds(2), "no answer within 2s"));

        assertThat(queryA(dnsClient)).containsExactly("192.0.2.1");
    }

    @Test
    void tooSlowTargetIsLeftDespiteHold() {
        AnswererClient dnsClient =
                serving(nearest(settings(1, Optional.of(Duration.ofMillis(150)), 50, Duration.ofHours(1))));
        check("a", 100);
        check("b", 140);
        assertThat(queryA(dnsClient)).containsExactly("192.0.2.1");

        check("a", 151);

        assertThat(queryA(dnsClient)).containsExactly("192.0.2.2");
    }

    @Test
    void unmeasuredTargetsTakeTurns() {
        AnswererClient dnsClient = serving(nearest(NEWEST_ONLY));
        Set<String> seen = new HashSet<>(queryA(dnsClient));
        seen.addAll(queryA(dnsClient));
        assertThat(seen).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");
    }

    @Test
    void defaultAnswersWithoutUsableTimes() {
        LatencyConfig limited = settings(1, Optional.of(Duration.ofMillis(50)), 20, Duration.ZERO);
        AnswererClient dnsClient =
                serving(Routes.nearest(limited, Optional.of(Routes.pool("c")), Routes.pool("a"), Routes.pool("b")));
        assertThat(queryA(dnsClient)).containsExactly("192.0.2.3");

        check("a", 40);
        assertThat(queryA(dnsClient)).containsExactly("192.0.2.1");
        check("a", 60);
        assertThat(queryA(dnsClient)).containsExactly("192.0.2.3");
    }

    @Test
    void servicesHaveSeparateSettings() {
        fixture.zone(
                "example.com",
                Routes.service("app", nearest(settings(1, Optional.empty(), 0, Duration.ZERO))),
                Routes.service("slow", nearest(settings(0.1, Optional.empty(), 0, Duration.ZERO))));
        AnswererClient dnsClient = new AnswererClient(start());
        check("a", 100);
        check("b", 50);

        check("b", 200); // the smoothed latency is 200 ms for app, 65 ms for slow

        assertThat(queryA(dnsClient)).containsExactly("192.0.2.1");
        assertThat(Messages.answers(dnsClient.query("slow.example.com", Type.A)))
                .containsExactly("192.0.2.2");
    }

    @Test
    void fastestBackendIsAnswered() {
        AnswererClient dnsClient = serving(Routes.pool("both", Routing.LATENCY));
        assertThat(queryA(dnsClient)).as("nothing is known").hasSize(1);

        checked("both", "192.0.2.11", 30);
        checked("both", "192.0.2.12", 5);

        assertThat(queryA(dnsClient)).containsExactly("192.0.2.12");
        fixture.set("both", "192.0.2.12", BackendState.DOWN);
        assertThat(queryA(dnsClient)).containsExactly("192.0.2.11");
    }

    @Test
    void learnedNetworkTimesTakePrecedence() {
        LatencyConfig learning = new LatencyConfig(1, Optional.of(Duration.ofMillis(300)), 20, Duration.ZERO, true);
        fixture.zone("example.com", Routes.service("app", nearest(learning)));
        CompiledZones zones = start();
        AnswererClient dnsClient = new AnswererClient(zones);
        check("a", 10);
        check("b", 50);
        learn(zones, "203.0.113.0", "a", 90);
        learn(zones, "203.0.113.0", "b", 20);
        learn(zones, "198.51.100.0", "b", 301);

        assertThat(queryA(dnsClient.from("203.0.113.9"))).containsExactly("192.0.2.2");
        assertThat(queryA(dnsClient.from("203.0.114.9"))).as("nothing is known").containsExactly("192.0.2.1");
        assertThat(queryA(dnsClient.from("198.51.100.9"))).as("too slow").containsExactly("192.0.2.1");

        learn(zones, "203.0.113.0", "a", 19);
        assertThat(queryA(dnsClient.from("203.0.113.9")))
                .as("not faster by 20%%")
                .containsExactly("192.0.2.2");
        learn(zones, "203.0.113.0", "a", 3);
        assertThat(queryA(dnsClient.from("203.0.113.9"))).containsExactly("192.0.2.1");
        fixture.set("a", "192.0.2.1", BackendState.DOWN);
        assertThat(queryA(dnsClient.from("203.0.113.9"))).containsExactly("192.0.2.2");
    }

    @Test
    void reloadKeepsLearnedTimes() throws IOException {
        LatencyConfig learning = new LatencyConfig(1, Optional.of(Duration.ofMillis(300)), 20, Duration.ZERO, true);
        fixture.zone("example.com", Routes.service("app", nearest(learning)));
        CompiledZones zones = start();
        check("a", 10);
        check("b", 50);
        learn(zones, "203.0.113.0", "b", 20);
        fixture.zone("example.net", ZoneFixture.service("app", "a"));

        CompiledZones next =
                zones.next(fixture.dns(), new ZoneInputs(fixture.topology(), Optional.empty(), scheduler::nanoTime));
        next.begin();

        AnswererClient dnsClient = new AnswererClient(next);
        assertThat(queryA(dnsClient.from("203.0.113.9"))).containsExactly("192.0.2.2");
        assertThat(queryA(dnsClient.from("203.0.114.9"))).as("by checks").containsExactly("192.0.2.1");
        learn(zones, "203.0.113.0", "a", 3);
        assertThat(queryA(dnsClient.from("203.0.113.9")))
                .as("samples for the former zones")
                .containsExactly("192.0.2.1");
        check("a", 100);
        assertThat(queryA(dnsClient.from("203.0.114.9"))).as("by later checks").containsExactly("192.0.2.2");
    }

    /** Repeats samples until the smoothed latency reaches this value. */
    private static void learn(CompiledZones zones, String client, String pool, long millis) {
        for (int i = 0; i < 40; i++) {
            zones.learn(List.of(new RoundTripSample(IpAddress.parse(client), pool, Duration.ofMillis(millis))));
        }
    }

    private static TargetConfig nearest(LatencyConfig settings) {
        return Routes.nearest(settings, Optional.empty(), Routes.pool("a"), Routes.pool("b"));
    }

    private void check(String pool, long millis) {
        checked(pool, new HealthStatus.LastCheck(true, Duration.ofMillis(millis), "connected"));
    }

    private void checked(String name, HealthStatus.LastCheck check) {
        Pool pool = fixture.topology().pool(name);
        for (Member member : pool.members()) {
            assertThat(pool.onCheck(member.backend(), check)).isTrue();
        }
        pool.evaluateChecks();
    }

    private void checked(String name, String host, long millis) {
        Pool pool = fixture.topology().pool(name);
        pool.members().stream()
                .map(Member::backend)
                .filter(backend -> backend.address().host().equals(host))
                .forEach(backend -> pool.onCheck(
                        backend, new HealthStatus.LastCheck(true, Duration.ofMillis(millis), "connected")));
        pool.evaluateChecks();
    }

    private AnswererClient serving(TargetConfig target) {
        fixture.zone("example.com", Routes.service("app", target));
        return new AnswererClient(start());
    }

    private CompiledZones start() {
        return CompiledZones.start(
                fixture.dns(), new ZoneInputs(fixture.topology(), Optional.empty(), scheduler::nanoTime));
    }

    private static List<String> queryA(AnswererClient dnsClient) {
        return Messages.answers(dnsClient.query("app.example.com", Type.A));
    }
}
