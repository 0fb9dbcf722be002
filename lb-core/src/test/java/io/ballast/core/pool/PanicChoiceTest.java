package io.ballast.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.balance.Member;
import io.ballast.core.balance.SessionTokens;
import io.ballast.core.config.LatencyConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.QueueConfig;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.SeededRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the choice of backends in panic mode by tiers, regions, check times and cookies. */
class PanicChoiceTest {

    private final List<Backend> backends =
            IntStream.range(0, 6).mapToObj(id -> Backends.backend(id, 1)).toList();

    @ParameterizedTest
    @EnumSource(StrategyKind.class)
    void healthyBackupServesAloneWhenOthersAreDown(StrategyKind kind) {
        Pool pool = pool(StrategyConfig.of(kind), plain(0), plain(1), plain(2), backup(3));

        down(pool, 0, 1, 2);

        assertThat(picked(pool)).containsExactly(backends.get(3));
        assertThat(pool.snapshot().usable()).containsExactly(backup(3));
        assertThat(pool.snapshot().isPanic()).isFalse();
    }

    @Test
    void downMembersServeBesideHealthyMembersOfTier() {
        Pool pool = pool(StrategyConfig.of(StrategyKind.FAILOVER), of(0, 0), of(1, 0), of(2, 1), of(3, 1), of(4, 2));

        down(pool, 0, 1, 2, 4);

        assertThat(picked(pool)).containsExactlyInAnyOrder(backends.get(2), backends.get(3));
        assertThat(pool.snapshot().isPanic()).isTrue();
        assertThat(pool.snapshot().healthy()).containsExactly(of(3, 1));
        assertThat(pool.snapshot().usable()).containsExactly(of(2, 1), of(3, 1));
        assertThat(pool.snapshot().candidateCount()).isEqualTo(5);
        assertThat(backends)
                .filteredOn(pool.snapshot()::usesUnhealthy)
                .as("not who is healthy, nor who is down in another tier")
                .containsExactly(backends.get(2));
    }

    @Test
    void nextRegionServesWhenNearestIsDown() {
        Pool pool = pool(StrategyConfig.of(StrategyKind.GEO), in(0, "eu"), in(1, "eu"), in(2, "us"), in(3, "us"));

        down(pool, 0, 1, 3);

        assertThat(picked(pool)).containsExactlyInAnyOrder(backends.get(2), backends.get(3));
    }

    @Test
    void regionsApplyInsideTiers() {
        Pool pool = pool(
                StrategyConfig.of(StrategyKind.GEO),
                in(0, "eu"),
                in(1, "us"),
                new Member(backends.get(2), 1, 0, /* backup= */ true, "eu"),
                new Member(backends.get(3), 1, 0, /* backup= */ true, "us"));

        down(pool, 0, 1, 2);

        assertThat(picked(pool)).containsExactly(backends.get(3));
    }

    @Test
    void fartherGroupServesWhenNearestIsDown() {
        LatencyConfig noHold = new LatencyConfig(1, Optional.empty(), 20, Duration.ZERO, /* learned= */ false);
        Pool pool = pool(
                StrategyConfig.of(StrategyKind.LATENCY).withLatency(noHold), plain(0), plain(1), plain(2), plain(3));
        answer(pool, 0, 2);
        answer(pool, 1, 2);
        answer(pool, 2, 50);
        answer(pool, 3, 50);

        down(pool, 0, 1, 2);

        assertThat(picked(pool)).containsExactlyInAnyOrder(backends.get(2), backends.get(3));
    }

    @ParameterizedTest
    @EnumSource(
            value = StrategyKind.class,
            names = {"ROUND_ROBIN", "FAILOVER", "GEO", "LATENCY", "STICKY"})
    void allServeWhenNoneIsHealthy(StrategyKind kind) {
        Pool pool = pool(StrategyConfig.of(kind), plain(0), plain(1), backup(2));

        down(pool, 0, 1, 2);

        assertThat(pool.snapshot().usable()).hasSize(3);
        assertThat(picked(pool)).containsExactlyInAnyOrder(backends.get(0), backends.get(1));
    }

    @Test
    void cookieOfDownBackendIsIgnored() {
        Pool pool = pool(StrategyConfig.of(StrategyKind.STICKY), plain(0), plain(1), plain(2), plain(3));

        down(pool, 0, 1, 2);

        assertThat(pool.snapshot().isPanic()).isTrue();
        assertThat(pickedBy(pool, of(pool, 3))).containsExactly(backends.get(3));
        assertThat(pickedBy(pool, of(pool, 0))).hasSize(4);
    }

    @Test
    void queuedRequestsSkipDownTier() {
        Pool pool = pool(StrategyConfig.of(StrategyKind.FAILOVER), of(0, 0), of(1, 1), of(2, 1), of(3, 1));
        down(pool, 0, 1, 2);
        backends.forEach(backend -> Backends.load(backend, 1));
        List<Backend> served = new ArrayList<>();
        WaitQueue queue = pool.waitQueue();
        assertThat(queue.join(new WaitQueue.Waiter() {
                    @Override
                    protected void onPermit(Backend backend) {
                        served.add(backend);
                    }

                    @Override
                    protected void onNoBackendUp() {}
                }))
                .isTrue();

        queue.release(backends.get(0));
        assertThat(served).isEmpty();
        queue.release(backends.get(1));

        assertThat(served).as("down, too, but beside a healthy one").containsExactly(backends.get(1));
    }

    private Member plain(int index) {
        return of(index, 0);
    }

    private Member of(int index, int priority) {
        return new Member(backends.get(index), /* weight= */ 1, priority);
    }

    private Member backup(int index) {
        return new Member(backends.get(index), 1, 0, /* backup= */ true, "");
    }

    private Member in(int index, String region) {
        return new Member(backends.get(index), 1, 0, /* backup= */ false, region);
    }

    private static Pool pool(StrategyConfig strategy, Member... members) {
        PoolConfig config = PoolConfig.builder("web")
                .strategy(strategy)
                .panicBelowPercent(51)
                .queue(new QueueConfig(/* size= */ 4, Duration.ofSeconds(5)))
                .build();
        return new Pool(config, List.of(members), /* shards= */ 1);
    }

    private void down(Pool pool, int... indices) {
        for (int index : indices) {
            Backend backend = backends.get(index);
            backend.health(new HealthStatus(
                    BackendState.DOWN,
                    Instant.EPOCH,
                    HealthStatus.Origin.CHECK,
                    "connection refused",
                    HealthStatus.LastCheck.NONE));
        }
        pool.refresh();
    }

    private void answer(Pool pool, int index, int millis) {
        pool.onCheck(
                backends.get(index),
                new HealthStatus.LastCheck(/* ok= */ true, Duration.ofMillis(millis), "connected"));
    }

    private SeededRequest of(Pool pool, int index) {
        SessionTokens tokens = pool.tokens();
        Backend backend = backends.get(index);
        return new SeededRequest(1).token(tokens.high(backend), tokens.low(backend));
    }

    /** Returns the backends that receive requests without affinity. */
    private static Set<Backend> picked(Pool pool) {
        return pickedBy(pool, new SeededRequest(1));
    }

    private static Set<Backend> pickedBy(Pool pool, SeededRequest request) {
        return IntStream.range(0, 100)
                .mapToObj(i -> pool.snapshot().picker().pick(request.affinity(i * 0x9E3779B97F4A7C15L)))
                .collect(Collectors.toSet());
    }
}
