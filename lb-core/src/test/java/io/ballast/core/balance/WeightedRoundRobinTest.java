package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.StrategyKind;
import io.ballast.core.testing.Backends;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WeightedRoundRobinTest extends StrategyContractTest {

    WeightedRoundRobinTest() {
        super(StrategyKind.WEIGHTED_ROUND_ROBIN);
    }

    @Test
    void sharesAreExactOverWholeCycles() {
        List<Member> members = Backends.weighted(5, 2, 2, 1);

        assertThat(counts(strategy().compile(members), members, 1000)).containsExactly(500, 200, 200, 100);
    }

    @Test
    void sharesAreExactOverThreads() throws InterruptedException {
        List<Member> members = Backends.weighted(5, 2, 2, 1);

        assertThat(countsOverThreads(strategy().compile(members), members, /* threads= */ 4, /* picks= */ 2500))
                .containsExactly(5000, 2000, 2000, 1000);
    }

    @Test
    void followsSmoothSchedule() {
        List<Member> members = Backends.weighted(3, 1, 2);
        int[] schedule = SmoothSchedule.of(new int[] {3, 1, 2});

        assertThat(sequence(strategy().compile(members), 12))
                .isEqualTo(IntStream.range(0, 12)
                        .mapToObj(turn ->
                                members.get(schedule[turn % schedule.length]).backend())
                        .toList());
    }

    @Test
    void cycleContinuesWhenPickerIsReplaced() {
        Strategy strategy = strategy();
        List<Member> members = Backends.weighted(3, 1, 2);
        sequence(strategy.compile(members), 4);

        assertThat(sequence(strategy.compile(members), 2))
                .isEqualTo(sequence(strategy().compile(members), 6).subList(4, 6));
    }

    @Test
    void turnsOfFullMemberAreSharedByWeight() {
        List<Member> members = List.of(
                new Member(Backends.backend(0, 1), 5, 0),
                new Member(Backends.backend(1), 2, 0),
                new Member(Backends.backend(2), 2, 0),
                new Member(Backends.backend(3), 1, 0));
        Backends.load(members.get(0).backend(), 1);

        assertThat(counts(strategy().compile(members), members, 1000)).containsExactly(0, 400, 400, 200);
    }

    @Test
    void longCycleKeepsSharesApproximately() {
        int[] weights = IntStream.range(0, 300).map(i -> 1 + i * 7 % 1000).toArray();
        assertThat(SmoothSchedule.length(weights)).isGreaterThan(WeightedRoundRobin.MAX_TURNS);
        List<Member> members = Backends.weighted(weights);
        int picks = 200_000;

        long[] counts = counts(strategy().compile(members), members, picks);

        double total = Arrays.stream(weights).sum();
        for (int i = 0; i < weights.length; i++) {
            assertThat((double) counts[i])
                    .as("turns of member %d, of weight %d", i, weights[i])
                    .isBetween(picks * weights[i] / total - 8, picks * weights[i] / total + 8);
        }
    }

    @Test
    void findsOnlyAvailableMemberWithoutTable() {
        int[] weights = IntStream.range(0, 300).map(i -> 1 + i * 7 % 1000).toArray();
        List<Member> members = IntStream.range(0, weights.length)
                .mapToObj(i -> new Member(Backends.backend(i, 1), weights[i], 0))
                .toList();
        members.forEach(member -> member.backend().inFlight().begin());
        members.get(17).backend().inFlight().end();

        assertThat(sequence(strategy().compile(members), 20))
                .containsOnly(members.get(17).backend());
    }
}
