package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SmoothScheduleTest {

    static Stream<int[]> weights() {
        SplittableRandom random = new SplittableRandom(3);
        int[] heavyAndLight = IntStream.concat(
                        IntStream.of(10), IntStream.generate(() -> 1).limit(10))
                .toArray();
        return Stream.concat(
                Stream.of(
                        new int[] {1, 1},
                        new int[] {5, 2, 2, 1},
                        new int[] {1000, 1},
                        new int[] {1, 1000},
                        new int[] {997, 991, 983},
                        heavyAndLight),
                Stream.generate(() ->
                                random.ints(random.nextLong(2, 30), 1, 1001).toArray())
                        .limit(50));
    }

    @ParameterizedTest
    @MethodSource("weights")
    void everyPrefixIsWithinOneTurnOfShares(int[] weights) {
        int[] turns = SmoothSchedule.of(weights);
        double total = Arrays.stream(weights).sum();
        int[] had = new int[weights.length];

        for (int turn = 0; turn < turns.length; turn++) {
            had[turns[turn]]++;
            for (int member = 0; member < weights.length; member++) {
                double share = (turn + 1) * weights[member] / total;
                if (Math.abs(had[member] - share) >= 1) { // an assertion for each pair would take minutes
                    throw new AssertionError("member %d had %d turns of %f after %d of %s"
                            .formatted(member, had[member], share, turn + 1, Arrays.toString(weights)));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("weights")
    void sharesAreExactOverCycle(int[] weights) {
        int[] turns = SmoothSchedule.of(weights);
        long[] had = new long[weights.length];
        Arrays.stream(turns).forEach(member -> had[member]++);

        long cycles = Arrays.stream(weights).asLongStream().sum() / turns.length;

        assertThat(Arrays.stream(had).map(count -> count * cycles).toArray())
                .isEqualTo(Arrays.stream(weights).asLongStream().toArray());
    }

    @Test
    void repeatedMembersAreSpread() {
        assertThat(SmoothSchedule.of(new int[] {5, 2, 2, 1})).containsExactly(0, 1, 0, 2, 0, 1, 0, 2, 0, 3);
        assertThat(SmoothSchedule.of(new int[] {3, 1, 1, 1})).containsExactly(0, 1, 0, 2, 0, 3);
    }

    @Test
    void commonDivisorsShortenCycle() {
        assertThat(SmoothSchedule.length(new int[] {500, 200, 200, 100})).isEqualTo(10);
        assertThat(SmoothSchedule.of(new int[] {500, 200, 200, 100}))
                .isEqualTo(SmoothSchedule.of(new int[] {5, 2, 2, 1}));
        assertThat(SmoothSchedule.of(new int[] {7, 7, 7})).containsExactly(0, 1, 2);
    }

    @Test
    void reportsCycleLongerThanInt() {
        int[] weights = new int[3];
        Arrays.fill(weights, Integer.MAX_VALUE);
        weights[0]--;

        assertThat(SmoothSchedule.length(weights)).isEqualTo(3L * Integer.MAX_VALUE - 1);
    }
}
