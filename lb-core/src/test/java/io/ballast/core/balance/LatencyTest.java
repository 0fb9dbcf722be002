package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus.LastCheck;
import io.ballast.core.config.LatencyConfig;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.SeededRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LatencyTest extends StrategyContractTest {

    private static final Duration HOLD = Duration.ofSeconds(30);

    private long now = Long.MAX_VALUE - 5; // the clock overflows during the test
    private final CheckTimes times = new CheckTimes(
            new LatencyConfig(/* alpha= */ 0.5, Optional.of(Duration.ofMillis(200)), 20, HOLD, /* learned= */ false),
            () -> now);
    private final Latency strategy = new Latency(times, RoundRobin::new);
    private final List<Member> members = Backends.members(4);

    LatencyTest() {
        super(StrategyKind.LATENCY);
    }

    @Test
    void allMembersServeWithoutMeasurements() {
        assertThat(picks(strategy.compile(members), 4)).containsExactlyInAnyOrder(at(0), at(1), at(2), at(3));
    }

    @Test
    void uncheckedMemberServesBesideNearest() {
        answer(0, 50);
        assertThat(picks(strategy.compile(members), 4)).containsExactlyInAnyOrder(at(0), at(1), at(2), at(3));

        answer(1, 10);
        assertThat(times.isStale()).isTrue();
        assertThat(picks(strategy.compile(members), 6)).containsOnly(at(1), at(2), at(3));

        fail(2);
        assertThat(times.isStale()).isTrue();
        assertThat(picks(strategy.compile(members), 4)).containsOnly(at(1), at(3));
    }

    @Test
    void firstMeasurementMovesMemberForward() {
        fail(0);
        answer(1, 50);
        List<Member> two = members.subList(0, 2);
        assertThat(picks(strategy.compile(two), 2)).containsOnly(at(1));

        answer(0, 10);

        assertThat(times.isStale()).isTrue();
        assertThat(picks(strategy.compile(two), 2)).containsOnly(at(0));
    }

    @Test
    void equallyNearMembersShareRequests() {
        answer(0, 50);
        answer(1, 10);
        answer(2, 12); // equally near: 10 is at least 12 minus 20 %
        answer(3, 13);

        assertThat(picks(strategy.compile(members), 4)).containsExactly(at(1), at(2), at(1), at(2));
    }

    @Test
    void ignoresDifferencesBelowOneMillisecond() {
        answer(0, 0.1);
        answer(1, 1.05);
        answer(2, 1.2);
        answer(3, 5);

        assertThat(picks(strategy.compile(members), 4)).containsExactly(at(0), at(1), at(0), at(1));
    }

    @Test
    void overflowOfNearestGoesToNextNearest() {
        answer(0, 90);
        answer(1, 10);
        answer(2, 500); // more than max_latency
        fail(3);
        Picker picker = strategy.compile(members);
        SeededRequest request = request();

        for (int index : new int[] {1, 0, 2, 3}) {
            assertThat(picker.pick(request)).isSameAs(at(index));
            request.exclude(at(index));
        }
        assertThat(picker.pick(request)).isNull();
    }

    @Test
    void smoothsTimesAndIgnoresFailedChecks() {
        answer(0, 10);
        answer(1, 30);
        answer(0, 110); // the smoothed time is 60 now
        fail(1);

        assertThat(picks(strategy.compile(members.subList(0, 2)), 1)).containsExactly(at(1));
    }

    @Test
    void orderIsStaleAfterHoldTime() {
        answer(0, 10);
        answer(1, 30);
        List<Member> two = members.subList(0, 2);
        strategy.compile(two);
        answer(0, 110);

        now += HOLD.toNanos() - 1;
        assertThat(times.isStale()).isFalse();
        assertThat(picks(strategy.compile(two), 1)).containsExactly(at(0));
        assertThat(picks(strategy.compile(members.subList(0, 1)), 1)).containsExactly(at(0));

        now++;
        assertThat(times.isStale()).isTrue();
        assertThat(picks(strategy.compile(two), 1)).containsExactly(at(1));
        assertThat(times.isStale()).isFalse();
    }

    @Test
    void newOrSlowMembersChangeOrderImmediately() {
        answer(0, 20);
        List<Member> two = members.subList(0, 2);
        strategy.compile(two);

        answer(1, 10);
        assertThat(times.isStale()).isTrue();
        assertThat(picks(strategy.compile(two), 1)).containsExactly(at(1));

        answer(1, 1000);
        assertThat(times.isStale()).isTrue();
        assertThat(picks(strategy.compile(two), 1)).containsExactly(at(0));
    }

    @Test
    void correctOrderNeverBecomesStale() {
        answer(0, 10);
        answer(1, 30);
        strategy.compile(members.subList(0, 2));

        now += 10 * HOLD.toNanos();
        answer(1, 35);

        assertThat(times.isStale()).isFalse();
    }

    @Test
    void latencyIsUsedInsideTiersAndStickySessions() {
        for (StrategyKind kind : List.of(StrategyKind.LATENCY, StrategyKind.STICKY)) {
            Strategy whole = Strategies.create(new StrategyConfig(
                    kind, kind == StrategyKind.STICKY ? Optional.of(StrategyKind.LATENCY) : Optional.empty()));
            CheckTimes found = whole.checkTimes();

            assertThat(found).isNotNull();
            found.add(at(0), took(90));
            found.add(at(1), took(10));
            assertThat(picks(whole.compile(members.subList(0, 2)), 2)).containsExactly(at(1), at(1));
        }
        assertThat(Strategies.create(StrategyConfig.DEFAULT).checkTimes()).isNull();
    }

    private void answer(int index, double millis) {
        times.add(at(index), took(millis));
    }

    private void fail(int index) {
        times.add(at(index), new LastCheck(/* ok= */ false, Duration.ofSeconds(9), "timed out"));
    }

    private static LastCheck took(double millis) {
        return new LastCheck(/* ok= */ true, Duration.ofNanos((long) (millis * 1e6)), "connected");
    }

    private Backend at(int index) {
        return members.get(index).backend();
    }

    private static List<Backend> picks(Picker picker, int count) {
        SeededRequest request = request();
        return Stream.generate(() -> picker.pick(request)).limit(count).toList();
    }
}
