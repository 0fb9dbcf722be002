package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.balance.Member;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.OutlierConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.control.Event;
import io.ballast.core.pool.Pool;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.Pools;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the ejection of backends whose requests fail. */
class EjectionTest extends MonitoredPools {

    private static final Duration BASE = OutlierConfig.DEFAULT.ejection();
    private static final Duration LONGEST = OutlierConfig.DEFAULT.maxEjection();

    private final List<Backend> backends = backends(4);
    private final Backend backend = backends.get(0);
    private final Pool pool = pool(Pools.UNCHECKED, OutlierConfig.DEFAULT, backends);

    @Test
    void failedRequestsEjectBackend() {
        watch(pool);

        failRequests(backend);

        assertThat(backend.health().state()).isEqualTo(BackendState.EJECTED);
        assertThat(backend.health().origin()).isEqualTo(Origin.PASSIVE);
        assertThat(backend.health().reason()).isEqualTo("5 of 5 requests failed: status 503; ejected for 10s");
        assertThat(backend.ejections()).isEqualTo(1);
        assertThat(pool.snapshot().usable()).hasSize(3);
        assertThat(control.timeline().recent())
                .extracting(Event::text)
                .containsExactly("ejected: 5 of 5 requests failed: status 503; ejected for 10s");
    }

    @Test
    void ejectionEndsAfterItsDuration() {
        watch(pool);
        failRequests(backend);

        scheduler.advance(BASE.minusMillis(1));
        assertThat(backend.health().state()).isEqualTo(BackendState.EJECTED);
        scheduler.advance(Duration.ofMillis(1));

        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
        assertThat(backend.health().reason()).isEqualTo("the ejection time has ended; the backend is on probation");
        assertThat(pool.snapshot().usable()).hasSize(4);
        assertThat(backend.requestErrors().recordFailure(/* started= */ 1, /* max= */ 5, scheduler.nanoTime()))
                .as("one error is enough")
                .isNotNull();
    }

    @Test
    void consecutiveEjectionsLastLonger() {
        watch(pool);

        for (int i = 1; i <= 40; i++) {
            failRequests(backend);
            Duration expected = BASE.multipliedBy(Math.min(i, 30));
            scheduler.advance(expected.minusMillis(1));
            assertThat(backend.health().state()).as("ejection %s", i).isEqualTo(BackendState.EJECTED);
            scheduler.advance(Duration.ofMillis(1));
            assertThat(backend.health().state()).as("after ejection %s", i).isEqualTo(BackendState.UP);
        }
    }

    @Test
    void ejectionCountResetsAfterQuietPeriod() {
        watch(pool);
        failRequests(backend);
        scheduler.advance(BASE);
        scheduler.advance(LONGEST);

        failRequests(backend);

        assertThat(backend.health().reason()).endsWith("ejected for 10s");
    }

    @Test
    void lateFailuresOfEjectedBackendAreIgnored() {
        watch(pool);
        failRequests(backend);
        scheduler.advance(Duration.ofSeconds(9));
        failRequests(backend);

        scheduler.advance(Duration.ofSeconds(1));

        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
        assertThat(backend.ejections()).isEqualTo(1);
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {1} % of {0}: {2}")
    @CsvSource({"1,100,0", "2,50,1", "2,1,1", "3,50,1", "4,50,2", "10,50,5", "10,39,3", "10,100,9"})
    void ejectedShareIsLimited(int members, int percent, int max) {
        List<Backend> all = backends(members);
        Pool limited = pool(Pools.UNCHECKED, withMost(percent), all);
        watch(limited);

        all.forEach(this::failRequests);

        assertThat(limited.snapshot().usable()).hasSize(members - max);
    }

    @Test
    void lastUsableBackendIsNotEjected() {
        Pool all = pool(Pools.tcpEvery(Duration.ofSeconds(5)), withMost(100), backends(2));
        Backend first = all.members().get(0).backend();
        Backend second = all.members().get(1).backend();
        watch(all);
        succeed();
        succeed();
        refuseRequests(first);
        assertThat(first.health().state()).isEqualTo(BackendState.DOWN);

        failRequests(second);

        assertThat(second.health().state()).isEqualTo(BackendState.UP);
    }

    @Test
    void ejectedBackendsReturnWhenNoOtherIsUsable() {
        Pool all = pool(Pools.tcpEvery(Duration.ofSeconds(5)), withMost(50), backends(2));
        Backend first = all.members().get(0).backend();
        Backend second = all.members().get(1).backend();
        watch(all);
        succeed();
        succeed();
        failRequests(first);
        assertThat(first.health().state()).isEqualTo(BackendState.EJECTED);

        refuseRequests(second);

        assertThat(second.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(first.health().state()).isEqualTo(BackendState.UP);
        assertThat(first.health().reason()).isEqualTo("no other backend takes traffic");
        assertThat(all.snapshot().usable()).hasSize(1);
    }

    @Test
    void ejectedBackendIsCheckedAndCanGoDown() {
        Pool checked = pool(Pools.tcpEvery(Duration.ofSeconds(5)), OutlierConfig.DEFAULT, backends(2));
        Backend failing = checked.members().get(0).backend();
        watch(checked);
        succeed();
        succeed();
        failRequests(failing);

        for (int i = 0; i < HealthConfig.DEFAULT_FALL; i++) {
            scheduler.advance(Duration.ofMillis(1100));
            probe.open().stream()
                    .filter(each -> each.target().equals(failing.socketAddress()))
                    .forEach(each -> each.fail("connection refused"));
            scheduler.runDue();
        }

        assertThat(failing.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(failing.health().origin()).isEqualTo(Origin.CHECK);
        scheduler.advance(BASE);
        assertThat(failing.health().state())
                .as("the ejection has ended with it")
                .isEqualTo(BackendState.DOWN);
    }

    @Test
    void successfulCheckDoesNotEndEjection() {
        Pool checked = pool(Pools.tcpEvery(Duration.ofSeconds(1)), OutlierConfig.DEFAULT, backends(2));
        Backend failing = checked.members().get(0).backend();
        watch(checked);
        succeed();
        succeed();
        failRequests(failing);

        for (int i = 0; i < 5; i++) {
            scheduler.advance(Duration.ofMillis(1100));
            List.copyOf(probe.open()).forEach(each -> each.succeed("connected"));
            scheduler.runDue();
        }

        assertThat(failing.health().state()).isEqualTo(BackendState.EJECTED);
    }

    @Test
    void reloadKeepsEjection() {
        watch(pool);
        failRequests(backend);
        scheduler.advance(Duration.ofSeconds(4));

        Pool reloaded = pool(Pools.tcpEvery(Duration.ofSeconds(5)), OutlierConfig.DEFAULT, backends);
        watch(reloaded);
        List.copyOf(probe.open()).forEach(each -> each.succeed("connected"));
        scheduler.runDue();

        assertThat(backend.health().state()).isEqualTo(BackendState.EJECTED);
        scheduler.advance(Duration.ofSeconds(6));
        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
        failRequests(backend);
        assertThat(backend.health().reason()).as("the second in a row").endsWith("ejected for 20s");
    }

    @Test
    void reloadCountsEjectedBackends() {
        watch(pool);
        failRequests(backends.get(0));
        failRequests(backends.get(1));

        Pool reloaded = pool(Pools.UNCHECKED, OutlierConfig.DEFAULT, backends);
        watch(reloaded);
        failRequests(backends.get(2));

        assertThat(reloaded.snapshot().usable()).hasSize(2);
    }

    @Test
    void disablingEjectionReturnsAllBackends() {
        watch(pool);
        failRequests(backend);

        Pool reloaded = pool(Pools.UNCHECKED, OutlierConfig.OFF, backends);
        watch(reloaded);
        failRequests(backends.get(1));

        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
        assertThat(reloaded.snapshot().usable()).hasSize(4);
    }

    @Test
    void reloadWithOnlyEjectedBackendsReturnsThem() {
        watch(pool);
        failRequests(backend);

        Pool reloaded = pool(Pools.UNCHECKED, OutlierConfig.DEFAULT, List.of(backend));
        watch(reloaded);

        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
        assertThat(reloaded.snapshot().usable()).hasSize(1);
    }

    @Test
    void manyReportsCreateOneTask() {
        watch(pool);
        int before = waiting().size();

        for (int i = 0; i < 1000; i++) {
            monitor.requestEjection(backend, "5 of 5 requests failed: reset");
        }

        assertThat(waiting()).hasSize(before + 1);
    }

    @Test
    void closedMonitorReturnsNoBackend() {
        watch(pool);
        failRequests(backend);

        monitor.close();
        scheduler.advance(BASE);

        assertThat(backend.health().state()).isEqualTo(BackendState.EJECTED);
    }

    @Test
    void expiredOverrideClearsEjectionOfLastBackend() {
        Pool two = pool(Pools.tcpEvery(Duration.ofSeconds(5)), OutlierConfig.DEFAULT, backends(2));
        Backend first = two.members().get(0).backend();
        Backend second = two.members().get(1).backend();
        watch(two);
        succeed();
        succeed();
        failRequests(first);
        monitor.applyOverride(first, drain("ann"));
        refuseRequests(second);
        assertThat(second.health().state()).isEqualTo(BackendState.DOWN);

        monitor.enable(first, "ann");
        scheduler.runDue();

        assertThat(first.health().state()).isEqualTo(BackendState.UP);
        assertThat(two.snapshot().usable()).hasSize(1);
    }

    @Test
    void reloadKeepsEjectionUnderOverride() {
        watch(pool);
        failRequests(backend);
        monitor.applyOverride(backend, drain("ann"));
        Pool reloaded = pool(Pools.tcpEvery(Duration.ofSeconds(5)), OutlierConfig.DEFAULT, backends);
        watch(reloaded);

        monitor.enable(backend, "ann");

        assertThat(backend.health().state()).isEqualTo(BackendState.EJECTED);
        assertThat(backend.health().reason())
                .isEqualTo("enabled by ann, but: 5 of 5 requests failed: status 503; ejected for 10s");
        scheduler.advance(BASE);
        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
    }

    @Test
    void reloadKeepsCheckStateUnderOverride() {
        Pool checked = pool(Pools.tcpEvery(Duration.ofSeconds(5)), OutlierConfig.DEFAULT, backends);
        watch(checked);
        refuseRequests(backend);
        monitor.applyOverride(backend, drain("ann"));
        Pool reloaded = pool(Pools.tcpEvery(Duration.ofSeconds(7)), OutlierConfig.DEFAULT, backends);
        watch(reloaded);

        monitor.enable(backend, "ann");

        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(backend.health().reason()).isEqualTo("enabled by ann, but: connection refused");
    }

    private void failRequests(Backend failing) {
        monitor.requestEjection(failing, "5 of 5 requests failed: status 503");
        scheduler.runDue();
    }

    private void refuseRequests(Backend refusing) {
        for (int i = 0; i < HealthConfig.DEFAULT_FALL; i++) {
            monitor.connectFailed(refusing, "connection refused");
        }
        scheduler.runDue();
    }

    private static List<Backend> backends(int count) {
        return IntStream.range(0, count).mapToObj(Backends::backend).toList();
    }

    private static OutlierConfig withMost(int percent) {
        OutlierConfig defaults = OutlierConfig.DEFAULT;
        return new OutlierConfig(
                defaults.consecutiveErrors(),
                defaults.failurePercent(),
                defaults.minRequests(),
                defaults.statuses(),
                defaults.ejection(),
                defaults.maxEjection(),
                percent);
    }

    private static Pool pool(HealthConfig health, OutlierConfig outlier, List<Backend> backends) {
        return Pools.pool(
                "web",
                StrategyKind.ROUND_ROBIN,
                health,
                outlier,
                backends.stream()
                        .map(each -> new Member(each, /* weight= */ 1, /* priority= */ 0))
                        .toList());
    }
}
