package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.backend.HealthStatus.LastCheck;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.balance.Member;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.control.Event;
import io.ballast.core.pool.Pool;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.ManualProbe;
import io.ballast.core.testing.Pools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HealthMonitorTest extends MonitoredPools {

    private static final Duration INTERVAL = Duration.ofSeconds(5);
    /** A check interval plus its maximum jitter. */
    private static final Duration LONGEST = Duration.ofMillis(5500);

    private static final Duration SHORTEST = Duration.ofMillis(4500);

    private final Backend first = Backends.unchecked(0, "web");
    private final Backend second = Backends.unchecked(1, "web");
    private final Pool pool = Pools.pool("web", Pools.tcpEvery(INTERVAL), first, second);
    private final List<List<Backend>> refreshes = refreshesOf(pool);

    @Test
    void allTargetsAreCheckedImmediately() {
        watch(pool);

        assertThat(probe.open())
                .extracting(ManualProbe.Check::target)
                .containsExactly(first.socketAddress(), second.socketAddress());
        assertThat(probe.open()).extracting(ManualProbe.Check::timeout).containsOnly(HealthConfig.DEFAULT_TIMEOUT);
        assertThat(probe.open()).extracting(ManualProbe.Check::check).containsOnly(new HealthCheck.Tcp());
    }

    @Test
    void checkThatCouldNotRunIsRepeatedWithoutVerdict() {
        watch(pool);
        succeed();
        succeed();
        scheduler.advance(LONGEST);
        HealthStatus before = first.health();

        for (int i = 0; i < 20; i++) {
            probe.next().cannot("too many open files");
            probe.next().cannot("too many open files");
            scheduler.advance(Duration.ofMillis(1100));
        }

        assertThat(first.health()).isEqualTo(before);
        assertThat(probe.open()).hasSize(2);
    }

    @Test
    void repeatedCheckErrorsAreReportedOnce() {
        watch(pool);
        succeed();
        succeed();
        scheduler.advance(LONGEST);

        for (int i = 0; i < 200; i++) {
            probe.next().cannot("too many open files");
            probe.next().cannot("too many open files");
            scheduler.advance(Duration.ofMillis(1100));
        }
        assertThat(missedInTimeline())
                .singleElement()
                .asString()
                .startsWith("a check could not be run (/10.0.0.")
                .endsWith(":8080: too many open files); until one runs, the previous result applies");

        succeed();
        succeed();
        scheduler.advance(SkippedChecks.REPORT_INTERVAL.multipliedBy(2));
        probe.next().cannot("too many open files");
        scheduler.runDue();
        assertThat(missedInTimeline()).hasSize(2);
    }

    private List<String> missedInTimeline() {
        return control.timeline().recent().stream()
                .map(Event::text)
                .filter(text -> text.contains("could not be run"))
                .toList();
    }

    @Test
    void firstResultSetsState() {
        watch(pool);
        scheduler.advance(Duration.ofSeconds(2));

        probe.next().succeed("connected");
        fail("connection refused");

        assertThat(first.health())
                .isEqualTo(new HealthStatus(
                        BackendState.UP,
                        control.clock().instant(),
                        Origin.CHECK,
                        "connected",
                        new LastCheck(/* ok= */ true, ManualProbe.TOOK, "connected")));
        assertThat(second.health())
                .isEqualTo(new HealthStatus(
                        BackendState.DOWN,
                        control.clock().instant(),
                        Origin.CHECK,
                        "connection refused",
                        new LastCheck(/* ok= */ false, ManualProbe.TOOK, "connection refused")));
        assertThat(control.timeline().recent())
                .extracting(Event::origin, Event::subject, Event::text)
                .containsExactly(
                        tuple(Origin.CHECK, "web/10.0.0.1:8080", "up: connected"),
                        tuple(Origin.CHECK, "web/10.0.0.2:8080", "down: connection refused"));
    }

    @Test
    void poolRefreshesOnlyWhenUsabilityChanges() {
        watch(pool);

        succeed();
        assertThat(refreshes).isEmpty();

        fail("connection refused");
        assertThat(refreshes).containsExactly(List.of(first));
    }

    @Test
    void simultaneousChangesRefreshPoolOnce() {
        watch(pool);

        probe.next().fail("no route to host");
        probe.next().fail("no route to host");
        scheduler.runDue();

        assertThat(refreshes).containsExactly(List.of());
    }

    @Test
    void nextCheckStartsAfterJitteredInterval() {
        watch(Pools.pool("one", Pools.tcpEvery(INTERVAL), first));
        scheduler.advance(Duration.ofMillis(700));
        List<Duration> waits = new ArrayList<>();

        for (int i = 0; i < 50; i++) {
            succeed();
            waits.add(waiting().get(0));
            scheduler.advance(LONGEST);
        }

        assertThat(waits).allSatisfy(wait -> assertThat(wait).isBetween(SHORTEST, LONGEST));
        assertThat(waits).anySatisfy(wait -> assertThat(wait).isLessThan(Duration.ofMillis(4700)));
        assertThat(waits).anySatisfy(wait -> assertThat(wait).isGreaterThan(Duration.ofMillis(5300)));
    }

    @Test
    void unchangedSuccessIsBatchedAndFailureIsNot() {
        watch(Pools.pool("one", Pools.tcpEvery(INTERVAL), first));
        probe.next().succeed("connected");
        scheduler.runDue();
        assertThat(first.health().lastCheck()).as("the first one").isNotNull();
        HealthStatus up = first.health();

        scheduler.advance(LONGEST);
        probe.next().succeed("again");
        scheduler.advance(GATHERING.minusNanos(1));
        assertThat(first.health()).isEqualTo(up);
        scheduler.advance(Duration.ofNanos(1));
        assertThat(first.health()).isEqualTo(up.with(new LastCheck(/* ok= */ true, ManualProbe.TOOK, "again")));

        scheduler.advance(LONGEST);
        probe.next().fail("connection refused");
        scheduler.runDue();
        assertThat(first.health())
                .isEqualTo(up.with(new LastCheck(/* ok= */ false, ManualProbe.TOOK, "connection refused")));
    }

    @Test
    void runningCheckPreventsSecondCheck() {
        watch(Pools.pool("one", Pools.tcpEvery(INTERVAL), first));

        scheduler.advance(Duration.ofMinutes(1));

        assertThat(probe.started()).isEqualTo(1);
    }

    @Test
    void contradictingResultIsCheckedAgainWithinOneSecond() {
        watch(Pools.pool("one", Pools.tcpEvery(INTERVAL), first));
        succeed();

        scheduler.advance(LONGEST);
        fail("connection refused");
        assertThat(waiting()).allSatisfy(wait -> assertThat(wait).isLessThan(Duration.ofMillis(1101)));
        scheduler.advance(Duration.ofMillis(1100));
        fail("connection refused");
        scheduler.advance(Duration.ofMillis(1100));
        fail("connection refused");

        assertThat(first.health().state()).isEqualTo(BackendState.DOWN);
    }

    @Test
    void contradictionDoesNotSlowShorterInterval() {
        watch(Pools.pool("one", Pools.tcpEvery(Duration.ofMillis(200)), first));
        succeed();
        scheduler.advance(Duration.ofMillis(220));

        fail("connection refused");

        assertThat(waiting()).allSatisfy(wait -> assertThat(wait).isLessThanOrEqualTo(Duration.ofMillis(220)));
    }

    @Test
    void unchangedStateKeepsTimeAndReason() {
        watch(Pools.pool("one", Pools.tcpEvery(INTERVAL), first));
        succeed();
        HealthStatus up = first.health();

        scheduler.advance(LONGEST);
        fail("connection refused");

        assertThat(first.health())
                .isEqualTo(up.with(new LastCheck(/* ok= */ false, ManualProbe.TOOK, "connection refused")));
    }

    @Test
    void backendsWithEqualTargetsShareCheck() {
        Backend twin = Backends.unchecked(0, "api");
        Pool fallsAtOnce = Pools.pool(
                "api",
                new HealthConfig(new HealthCheck.Tcp(), Duration.ofSeconds(2), HealthConfig.DEFAULT_TIMEOUT, 1, 1),
                twin);
        watch(pool, fallsAtOnce);
        assertThat(probe.started()).isEqualTo(2);

        succeed();
        assertThat(List.of(first, twin)).allMatch(backend -> backend.health().state() == BackendState.UP);

        scheduler.advance(Duration.ofMillis(2200));
        assertThat(probe.started()).as("the shorter interval rules").isEqualTo(3);
        succeed(); // the first check of the second backend
        fail("connection refused");
        assertThat(first.health().state()).isEqualTo(BackendState.UP);
        assertThat(twin.health().state()).isEqualTo(BackendState.DOWN);
    }

    @Test
    void differentTimeoutsOrHostsAreDifferentTargets() {
        HealthCheck http = new HealthCheck.Http("GET", "/", Optional.empty(), List.of());
        HealthCheck named = new HealthCheck.Http("GET", "/", Optional.of("example.org"), List.of());
        Duration second = Duration.ofSeconds(1);

        watch(
                Pools.pool(
                        "a",
                        new HealthConfig(new HealthCheck.Tcp(), INTERVAL, second, 1, 1),
                        Backends.unchecked(0, "a")),
                Pools.pool(
                        "b",
                        new HealthConfig(new HealthCheck.Tcp(), INTERVAL, Duration.ofSeconds(2), 1, 1),
                        Backends.unchecked(0, "b")),
                Pools.pool("c", new HealthConfig(http, INTERVAL, second, 1, 1), Backends.unchecked(0, "c")),
                Pools.pool("d", new HealthConfig(named, INTERVAL, second, 1, 1), Backends.unchecked(0, "d")));

        assertThat(probe.open()).extracting(ManualProbe.Check::hostHeader).containsExactly("", "", "10.0.0.1:8080", "");
        assertThat(probe.open()).extracting(ManualProbe.Check::check).contains(http, named);
    }

    @Test
    void checkThatCannotStartCountsAsFailed() {
        HealthMonitor broken = new HealthMonitor(
                control,
                (target, check, host, timeout, done) -> {
                    throw new IllegalStateException("no event loop");
                },
                new SplittableRandom(7));

        broken.watch(Pools.topology(pool));
        scheduler.runDue();

        assertThat(first.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(first.health().reason()).contains("did not start", "no event loop");
        assertThat(waiting()).as("it is tried again").hasSize(2);
    }

    @Test
    void probeThatThrowsAfterResultReportsOnce() {
        HealthMonitor broken = new HealthMonitor(
                control,
                (target, check, host, timeout, done) -> {
                    done.accept(new ProbeResult(/* ok= */ true, ManualProbe.TOOK, "connected"));
                    throw new IllegalStateException("afterwards");
                },
                new SplittableRandom(7));

        broken.watch(Pools.topology(pool));
        scheduler.runDue();

        assertThat(first.health().state()).isEqualTo(BackendState.UP);
        assertThat(waiting()).hasSize(2);
    }

    @Test
    void probeReportsOnce() {
        watch(Pools.pool("one", Pools.tcpEvery(INTERVAL), first));

        ManualProbe.Check check = probe.next();
        check.succeed("connected");
        check.fail("too late");
        scheduler.runDue();

        assertThat(first.health().lastCheck().text()).isEqualTo("connected");
        assertThat(waiting()).hasSize(1);
    }

    /** The usable backends of every snapshot that the pool publishes from now on. */
    private static List<List<Backend>> refreshesOf(Pool pool) {
        List<List<Backend>> refreshes = new ArrayList<>();
        pool.onRefresh(snapshot ->
                refreshes.add(snapshot.usable().stream().map(Member::backend).toList()));
        return refreshes;
    }
}
