package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.backend.BackendState;
import io.ballast.core.balance.Member;
import io.ballast.core.config.OutlierConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.TopologyChange;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.Pools;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests backends that fail a larger share of requests than the other backends, but never many requests in a row. */
class FailureSharesTest extends MonitoredPools {

    private static final Duration STEP = Duration.ofMillis(100);

    private final List<Member> members = Backends.members(4);
    private final Backend failing = members.get(1).backend();

    @ParameterizedTest(name = "{displayName} [{index}]: {0} % of {1} a second, {2} % elsewhere")
    @CsvSource({
        "40, 50, 0, 5", // 20 of 50 requests per second fail on the failing backend
        "40, 20, 0, 5",
        "34, 10000, 0, 3",
        "60, 10000, 20, 3",
        "100, 20, 0, 4"
    })
    void backendFailingMuchMoreThanOthersIsEjected(int percent, int perSecond, int nonLocal, int seconds) {
        watch(pool(OutlierConfig.DEFAULT));

        double took = runUntilOut(percent, perSecond, nonLocal, Duration.ofSeconds(30));

        assertThat(took).isLessThanOrEqualTo(seconds);
        assertThat(failing.health().reason()).contains(" requests failed in ").endsWith("; ejected for 10s");
        members.stream()
                .map(Member::backend)
                .filter(other -> other != failing)
                .forEach(other -> assertThat(other.health().state()).isEqualTo(BackendState.UP));
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0} % of {1} a second, {2} % elsewhere")
    @CsvSource({"20, 1000, 0", "50, 1000, 30", "100, 1000, 90", "60, 2, 0"})
    void similarOrRareFailuresDoNotEject(int percent, int perSecond, int nonLocal) {
        watch(pool(OutlierConfig.DEFAULT));

        assertThat(runUntilOut(percent, perSecond, nonLocal, Duration.ofSeconds(30)))
                .isNaN();
    }

    @Test
    void zeroPercentDisablesEjection() {
        OutlierConfig defaults = OutlierConfig.DEFAULT;
        watch(pool(new OutlierConfig(
                defaults.consecutiveErrors(),
                /* failurePercent= */ 0,
                defaults.minRequests(),
                defaults.statuses(),
                defaults.ejection(),
                defaults.maxEjection(),
                defaults.maxEjectedPercent())));

        assertThat(runUntilOut(100, 1000, 0, Duration.ofSeconds(30))).isNaN();
    }

    @Test
    void failuresBeforeEjectionAreForgotten() {
        Duration time = Duration.ofSeconds(2); // shorter than the period over which failures are counted
        watch(pool(ejectingFor(time)));
        runUntilOut(50, 100, 0, Duration.ofSeconds(30));
        assertThat(failing.health().state()).isEqualTo(BackendState.EJECTED);

        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(STEP)) {
            members.stream()
                    .map(Member::backend)
                    .filter(other -> other != failing)
                    .forEach(other -> request(other, 10, 0));
            scheduler.advance(STEP);
        }
        assertThat(failing.health().state()).isEqualTo(BackendState.UP);
        request(failing, 1, 1);

        assertThat(runUntilOut(0, 100, 0, Duration.ofSeconds(20))).isNaN();
        assertThat(failing.ejections()).isEqualTo(1);
    }

    @Test
    void changesOfOtherPoolsKeepFailures() {
        Pool web = pool(OutlierConfig.DEFAULT);
        watch(web);

        for (int round = 1; round <= 6; round++) {
            assertThat(4 * 5).as("requests of a round").isLessThan(OutlierConfig.DEFAULT.minRequests());
            runUntilOut(100, 4, 0, Duration.ofSeconds(5));
            Backend joining = Backends.backend(10 + round);
            Pool other = Pools.pool("api", Pools.UNCHECKED, joining);
            monitor.watchAhead(List.of(new TopologyChange.Joining(joining, other, other.config())));
            monitor.watchAndRefresh(Pools.topology(web, other), List.of(other));
            scheduler.runDue();
        }

        assertThat(failing.ejections()).isPositive();
    }

    @Test
    void noEjectionWithoutComparableBackends() {
        Pool alone = Pools.pool(
                "web", StrategyKind.ROUND_ROBIN, Pools.UNCHECKED, OutlierConfig.DEFAULT, members.subList(1, 2));
        watch(alone);

        assertThat(runUntilOut(100, 1000, 0, Duration.ofSeconds(20))).isNaN();
    }

    @Test
    void noTaskIsPendingTenSecondsAfterLastFailure() {
        watch(pool(OutlierConfig.DEFAULT));
        request(failing, 1, 1);
        scheduler.runDue();
        assertThat(waiting()).hasSize(1);

        scheduler.advance(Duration.ofSeconds(12));

        assertThat(waiting()).isEmpty();
        request(failing, 1, 1);
        scheduler.runDue();
        assertThat(waiting()).as("the next one begins it again").hasSize(1);
    }

    @Test
    void manyFailuresCreateOneTask() {
        watch(pool(OutlierConfig.DEFAULT));

        request(failing, 1000, 1000);

        assertThat(waiting()).hasSize(1);
    }

    @Test
    void countsRequestsThatCouldNotBeSent() {
        watch(pool(OutlierConfig.DEFAULT));
        members.forEach(member -> request(member.backend(), 100, 0));

        for (int i = 0; i < 50 && failing.health().state() == BackendState.UP; i++) {
            members.forEach(member -> request(member.backend(), 10, 0));
            failing.stats().counters(0).add(BackendCounter.FAILED_CONNECT_REFUSED, 10);
            for (int k = 0; k < 10; k++) {
                String unused = failing.requestErrors()
                        .recordFailure(
                                failing.requestErrors().probations(), OutlierConfig.MAX_ERRORS, scheduler.nanoTime());
                monitor.exchangeFailed(failing);
            }
            scheduler.advance(STEP);
        }

        assertThat(failing.health().state()).isEqualTo(BackendState.EJECTED);
        assertThat(failing.health().reason()).as("half").matches("(\\d+)0 of \\d+ requests failed.*");
    }

    /** Returns the seconds until the backend is ejected; NaN if it is not ejected. */
    private double runUntilOut(int percent, int perSecond, int nonLocal, Duration max) {
        int steps = (int) (max.toNanos() / STEP.toNanos());
        for (int i = 1; i <= steps; i++) {
            for (Member member : members) {
                int before = (int) ((long) perSecond * (i - 1) / 10);
                int after = (int) ((long) perSecond * i / 10);
                int share = member.backend() == failing ? percent : nonLocal;
                request(member.backend(), after - before, after * share / 100 - before * share / 100);
            }
            scheduler.advance(STEP);
            if (failing.health().state() == BackendState.EJECTED) {
                return i * STEP.toMillis() / 1000.0;
            }
        }
        return Double.NaN;
    }

    private void request(Backend backend, int requests, int errors) {
        backend.stats().counters(0).add(BackendCounter.REQUESTS, requests);
        for (int i = 0; i < errors; i++) {
            String unused = backend.requestErrors()
                    .recordFailure(
                            backend.requestErrors().probations(), OutlierConfig.MAX_ERRORS, scheduler.nanoTime());
            monitor.exchangeFailed(backend);
        }
    }

    private static OutlierConfig ejectingFor(Duration time) {
        OutlierConfig defaults = OutlierConfig.DEFAULT;
        return new OutlierConfig(
                defaults.consecutiveErrors(),
                defaults.failurePercent(),
                defaults.minRequests(),
                defaults.statuses(),
                time,
                defaults.maxEjection(),
                defaults.maxEjectedPercent());
    }

    private Pool pool(OutlierConfig outlier) {
        return Pools.pool("web", StrategyKind.ROUND_ROBIN, Pools.UNCHECKED, outlier, members);
    }
}
