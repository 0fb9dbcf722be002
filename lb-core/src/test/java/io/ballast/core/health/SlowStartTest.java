package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.balance.Member;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.pool.Pool;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.Pools;
import io.ballast.core.testing.SeededRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Tests how a backend that returns regains its share of requests. */
class SlowStartTest extends MonitoredPools {

    private static final Duration TIME = Duration.ofSeconds(30);
    private static final Duration STEP = TIME.dividedBy(10);

    private final List<Member> members = Backends.members(4);
    private final Backend backend = members.get(2).backend();
    private final SeededRequest request = new SeededRequest(3);

    @ParameterizedTest
    @EnumSource(
            value = StrategyKind.class,
            mode = Mode.INCLUDE,
            names = {"ROUND_ROBIN", "WEIGHTED_ROUND_ROBIN", "RANDOM", "LEAST_CONNECTION"})
    void shareGrowsInTenSteps(StrategyKind strategy) {
        Pool pool = pool(strategy, TIME);
        watch(pool);
        goOutAndComeBack();

        for (int tenths = 1; tenths <= 10; tenths++) {
            double expected = tenths / (30.0 + tenths);
            assertThat(share(pool)).as("after %s steps", tenths - 1).isBetween(0.85 * expected, 1.15 * expected);
            scheduler.advance(STEP);
        }

        assertThat(backend.slowStartTenths()).isEqualTo(Backend.ALL_TENTHS);
        assertThat(pool.snapshot().usable()).as("with weights as configured").isEqualTo(members);
        assertThat(waiting()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = StrategyKind.class,
            mode = Mode.INCLUDE,
            names = {"POWER_OF_TWO", "LEAST_RESPONSE_TIME", "IP_HASH", "FAILOVER"})
    void allStrategiesReduceInitialShare(StrategyKind strategy) {
        Pool pool = pool(strategy, TIME);
        watch(pool);
        goOutAndComeBack();

        assertThat(share(pool)).isLessThan(0.12);
        scheduler.advance(TIME);

        assertThat(share(pool)).isBetween(0.2, 0.3);
    }

    @Test
    void fullShareWithoutSlowStart() {
        Pool pool = pool(StrategyKind.ROUND_ROBIN, Duration.ZERO);
        watch(pool);
        goOutAndComeBack();

        assertThat(share(pool)).isEqualTo(0.25);
        assertThat(waiting()).isEmpty();
    }

    @Test
    void interruptedSlowStartRestarts() {
        Pool pool = pool(StrategyKind.ROUND_ROBIN, TIME);
        watch(pool);
        goOutAndComeBack();
        scheduler.advance(STEP.multipliedBy(5));
        assertThat(backend.slowStartTenths()).isEqualTo(6);

        goOutAndComeBack();

        assertThat(backend.slowStartTenths()).isEqualTo(1);
        scheduler.advance(STEP);
        assertThat(backend.slowStartTenths()).isEqualTo(2);
    }

    @Test
    void simultaneousStartsShareNormally() {
        Pool pool = pool(StrategyKind.WEIGHTED_ROUND_ROBIN, TIME);
        watch(pool);
        members.forEach(member -> member.backend().slowStartTenths(3));

        pool.refresh();

        assertThat(pool.snapshot().usable()).isEqualTo(members);
    }

    @Test
    void initiallyHealthyBackendHasFullShare() {
        Backend unchecked = Backends.unchecked(7, "web");
        Pool one = slow(
                Pools.pool("web", Pools.tcpEvery(HealthConfig.DEFAULT_INTERVAL), unchecked),
                StrategyKind.ROUND_ROBIN,
                TIME);
        watch(one);

        succeed();

        assertThat(unchecked.health().state()).isEqualTo(BackendState.UP);
        assertThat(unchecked.slowStartTenths()).isEqualTo(Backend.ALL_TENTHS);
    }

    @Test
    void slowStartContinuesAcrossReload() {
        Pool pool = pool(StrategyKind.ROUND_ROBIN, TIME);
        backend.slowStartTenths(1); // the topology builder also sets this value for a new backend
        watch(pool);

        scheduler.advance(STEP.multipliedBy(2));
        assertThat(backend.slowStartTenths()).isEqualTo(3);
        watch(pool);
        scheduler.advance(STEP.multipliedBy(7));

        assertThat(backend.slowStartTenths()).isEqualTo(Backend.ALL_TENTHS);
        assertThat(share(pool)).isEqualTo(0.25);
    }

    private void goOutAndComeBack() {
        monitor.applyOverride(backend, drain("test"));
        scheduler.runDue();
        monitor.enable(backend, "test");
        scheduler.runDue();
    }

    private double share(Pool pool) {
        int hits = 0;
        int picks = 40_000;
        for (int i = 0; i < picks; i++) {
            hits += pool.snapshot().picker().pick(request.affinity(i)) == backend ? 1 : 0;
        }
        return (double) hits / picks;
    }

    private Pool pool(StrategyKind strategy, Duration time) {
        return slow(Pools.pool("web", Pools.UNCHECKED, members), strategy, time);
    }

    private static Pool slow(Pool pool, StrategyKind strategy, Duration time) {
        return new Pool(
                pool.config().toBuilder()
                        .strategy(StrategyConfig.of(strategy))
                        .slowStart(time)
                        .build(),
                pool.members(),
                /* shards= */ 1);
    }
}
