package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.SeededRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailBackTest {

    private static final long SECOND = 1_000_000_000L;

    private final List<Member> members = Backends.tiered(0, 1, 2);
    private final Backend primary = members.get(0).backend();
    private final Backend second = members.get(1).backend();
    private final Backend third = members.get(2).backend();
    private long now = Long.MAX_VALUE - 5 * SECOND; // the clock overflows during the test
    private final Failover strategy = new Failover(
            StrategyKind.FAILOVER,
            Member::tier,
            RoundRobin::new,
            Duration.ofSeconds(30),
            () -> now,
            /* checkTimes= */ null);

    @Test
    void initialTierIsUsedImmediately() {
        assertThat(pick(compile(0, 1))).isSameAs(primary);
    }

    @Test
    void returningTierIsUsedAfterHoldTime() {
        compile(0, 1);
        compile(1);

        Picker picker = compile(0, 1);

        assertThat(pick(picker)).isSameAs(second);
        now += 29 * SECOND;
        assertThat(pick(picker)).isSameAs(second);
        now += SECOND;
        assertThat(pick(picker)).isSameAs(primary);
    }

    @Test
    void tierThatFailsAgainRestartsHoldTime() {
        compile(0, 1);
        compile(1);
        compile(0, 1);
        now += 29 * SECOND;
        compile(1);
        now += SECOND;

        Picker picker = compile(0, 1);

        assertThat(pick(picker)).isSameAs(second);
        now += 30 * SECOND;
        assertThat(pick(picker)).isSameAs(primary);
    }

    @Test
    void otherChangesDoNotExtendHoldTime() {
        compile(0, 1);
        compile(1);
        compile(0, 1);
        now += 20 * SECOND;

        Picker picker = compile(0, 1, 2);

        assertThat(pick(picker)).isSameAs(second);
        now += 10 * SECOND;
        assertThat(pick(picker)).isSameAs(primary);
    }

    @Test
    void heldBackTierServesWhenNoOtherCan() {
        compile(0, 1);
        compile(1);
        Picker picker = compile(0, 1);

        assertThat(picker.pick(request().exclude(second))).isSameAs(primary);
        assertThat(pick(compile(0))).isSameAs(primary);
        assertThat(pick(compile(0, 1))).as("that has served since").isSameAs(primary);
    }

    @Test
    void returningTierIsUsedImmediatelyAfterOutage() {
        compile(0, 1);
        compile();

        assertThat(pick(compile(0))).isSameAs(primary);
        assertThat(pick(compile(0, 1))).isSameAs(primary);
    }

    @Test
    void lastTierServesDuringHoldTime() {
        compile(0, 1, 2);
        compile(2);

        Picker picker = compile(0, 1, 2);

        assertThat(pick(picker)).isSameAs(third);
        now += 30 * SECOND;
        assertThat(pick(picker)).isSameAs(primary);
    }

    private Picker compile(int... tiers) {
        return strategy.compile(Arrays.stream(tiers).mapToObj(members::get).toList());
    }

    private Backend pick(Picker picker) {
        Backend picked = picker.pick(request());
        assertThat(picked).isNotNull();
        return picked;
    }

    private SeededRequest request() {
        return new SeededRequest(1).nowNanos(now);
    }
}
