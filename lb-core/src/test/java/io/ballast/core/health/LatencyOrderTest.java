package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.pool.Pool;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.Pools;
import io.ballast.core.testing.SeededRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a pool is compiled again when check times change, but only if its strategy uses check times. */
class LatencyOrderTest extends MonitoredPools {

    private final List<Member> members = Backends.members(2);
    private final Backend far = members.get(0).backend();
    private final Backend near = members.get(1).backend();

    @Test
    void requestsUseNearerBackendAfterChecks() {
        Pool pool = Pools.pool("web", StrategyKind.LATENCY, Pools.tcpEvery(Duration.ofSeconds(5)), members);
        watch(pool);
        assertThat(List.of(pick(pool), pick(pool))).containsExactlyInAnyOrder(far, near);

        probe.next().succeedAfter(Duration.ofMillis(40));
        probe.next().succeedAfter(Duration.ofMillis(4));
        scheduler.runDue();
        scheduler.advance(RefreshQueue.EVALUATION_DELAY);

        assertThat(List.of(pick(pool), pick(pool))).containsExactly(near, near);
    }

    @Test
    void poolWithoutLatencyStrategyIsNotRecompiled() {
        Pool pool = Pools.pool("web", StrategyKind.ROUND_ROBIN, Pools.tcpEvery(Duration.ofSeconds(5)), members);
        watch(pool);
        Object before = pool.snapshot();

        succeed();
        succeed();
        scheduler.advance(RefreshQueue.EVALUATION_DELAY);

        assertThat(pool.snapshot()).isSameAs(before);
    }

    private static Backend pick(Pool pool) {
        return pool.snapshot().picker().pick(new SeededRequest(1));
    }
}
