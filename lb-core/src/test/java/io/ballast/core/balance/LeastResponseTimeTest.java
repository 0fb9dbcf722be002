package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.ChiSquare;
import io.ballast.core.testing.SeededRequest;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the strategy with two members: both are drawn every time, in random order, so the comparison alone decides. */
class LeastResponseTimeTest extends StrategyContractTest {

    private static final long NOW = Duration.ofHours(1).toNanos();
    private static final int PICKS = 50;

    private final List<Member> members = Backends.members(2);
    private final Backend fast = members.get(0).backend();
    private final Backend slow = members.get(1).backend();

    LeastResponseTimeTest() {
        super(StrategyKind.LEAST_RESPONSE_TIME);
    }

    @Test
    void picksFasterIdleMember() {
        answer(fast, Duration.ofMillis(25));
        answer(slow, Duration.ofMillis(75));

        assertThat(picksAt(NOW)).containsOnly(fast);
    }

    @Test
    void inFlightRequestsRaiseScore() {
        answer(fast, Duration.ofMillis(25));
        answer(slow, Duration.ofMillis(75));

        Backends.load(fast, 1);
        assertThat(picksAt(NOW)).as("25 × 2 is less than 75 × 1").containsOnly(fast);

        Backends.load(fast, 2);
        assertThat(picksAt(NOW)).as("25 × 4 is more than 75 × 1").containsOnly(slow);
    }

    @Test
    void weightLowersScore() {
        List<Member> weighted = Backends.weighted(2, 5);
        answer(weighted.get(0).backend(), Duration.ofMillis(30));
        answer(weighted.get(1).backend(), Duration.ofMillis(60));

        assertThat(picks(weighted, NOW))
                .as("60 / 5 is less than 30 / 2")
                .containsOnly(weighted.get(1).backend());
    }

    @Test
    void idleMemberWithoutMeasurementIsTriedFirst() {
        answer(fast, Duration.ofNanos(1000));

        assertThat(picksAt(NOW)).containsOnly(slow);
    }

    @Test
    void memberWithoutMeasurementIsNotFlooded() {
        answer(fast, Duration.ofSeconds(60));
        Backends.load(fast, 100);
        Backends.load(slow, 1);

        assertThat(picksAt(NOW)).containsOnly(fast);
    }

    @Test
    void unmeasuredMembersShareByInFlightPerWeight() {
        List<Member> weighted = Backends.weighted(3, 1);
        Backends.load(weighted.get(0).backend(), 2);
        Backends.load(weighted.get(1).backend(), 1);

        assertThat(picks(weighted, NOW))
                .as("2/3 is less than 1/1")
                .containsOnly(weighted.get(0).backend());
    }

    @Test
    void idleUnmeasuredMembersShareByWeight() {
        List<Member> weighted = Backends.weighted(5, 2, 2, 1);

        ChiSquare.assertFits(counts(strategy().compile(weighted), weighted, 50_000), 5, 2, 2, 1);
    }

    @Test
    void slowMemberIsTriedAgainAfterDecay() {
        answer(fast, Duration.ofMillis(25));
        answer(slow, Duration.ofSeconds(2));
        long later = NOW + Duration.ofMinutes(2).toNanos();
        fast.responseTime().record(Duration.ofMillis(25).toNanos(), later);

        assertThat(picksAt(NOW)).containsOnly(fast);
        assertThat(picksAt(later)).containsOnly(slow);
    }

    @Test
    void fastFailuresDoNotAttractRequests() {
        answer(fast, Duration.ofMillis(25));
        slow.responseTime()
                .recordFailure(
                        Duration.ofNanos(50_000).toNanos(),
                        Duration.ofMillis(100).toNanos(),
                        NOW);

        assertThat(picksAt(NOW)).containsOnly(fast);
    }

    private List<Backend> picksAt(long nowNanos) {
        return picks(members, nowNanos);
    }

    private List<Backend> picks(List<Member> from, long nowNanos) {
        Picker picker = strategy().compile(from);
        SeededRequest request = request().nowNanos(nowNanos);
        return Stream.generate(() -> picker.pick(request)).limit(PICKS).toList();
    }

    private static void answer(Backend backend, Duration took) {
        backend.responseTime().record(took.toNanos(), NOW);
    }
}
