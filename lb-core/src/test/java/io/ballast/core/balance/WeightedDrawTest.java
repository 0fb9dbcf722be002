package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WeightedDrawTest {

    private static final int POINTS = 1 << 20;

    static Stream<int[]> weights() {
        SplittableRandom random = new SplittableRandom(11);
        return Stream.concat(
                Stream.of(
                        new int[] {1, 1}, new int[] {3, 3, 3}, new int[] {5, 2, 2, 1}, new int[] {1, 1000}, new int[] {
                            1000, 1, 1, 1, 1
                        }),
                Stream.generate(() ->
                                random.ints(random.nextLong(2, 40), 1, 1001).toArray())
                        .limit(20));
    }

    /**
     * Tests evenly spaced inputs: the number of inputs in a piece of the table differs from the size of the piece by at
     * most one.
     */
    @ParameterizedTest
    @MethodSource("weights")
    void inputsAreDividedByWeight(int[] weights) {
        WeightedDraw draw = WeightedDraw.of(weights);
        long[] counts = new long[weights.length];
        for (int i = 0; i < POINTS; i++) {
            counts[draw.member(i << 12)]++;
        }

        double total = Arrays.stream(weights).sum();
        for (int member = 0; member < weights.length; member++) {
            double share = POINTS * weights[member] / total;
            int pieces = weights.length; // a member has at most one piece in each cell
            assertThat((double) counts[member]).isBetween(share - pieces, share + pieces);
        }
    }

    @Test
    void highestInputDrawsMember() {
        assertThat(WeightedDraw.of(new int[] {1, 1, 1}).member(-1)).isEqualTo(2);
        assertThat(WeightedDraw.of(new int[] {5, 2, 2, 1}).member(-1)).isBetween(0, 3);
    }

    @Test
    void onlyEqualWeightsAreUniform() {
        assertThat(WeightedDraw.of(new int[] {7, 7, 7}).isUniform()).isTrue();
        assertThat(WeightedDraw.of(new int[] {7, 7, 8}).isUniform()).isFalse();
    }

    @Test
    void secondDrawIsUniformOverOthers() {
        WeightedDraw draw = WeightedDraw.of(new int[] {1, 1, 1, 1});
        long[] counts = new long[4];
        for (int i = 0; i < 3000; i++) {
            counts[draw.other(2, (int) ((i * (1L << 32) + 2999) / 3000))]++;
        }

        assertThat(counts).containsExactly(1000, 1000, 0, 1000);
        assertThat(draw.other(3, -1)).isEqualTo(2);
        assertThat(draw.other(0, -1)).isEqualTo(3);
    }
}
