package io.ballast.core.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;

/** Pearson's chi-square test: checks whether random draws with given weights can produce the counts. */
public final class ChiSquare {

    /** The normal deviate that one sample in a thousand exceeds. */
    private static final double Z = 3.09;

    private ChiSquare() {}

    /** Fails if the counts differ from the weights by more than random draws would cause in 999 of 1,000 cases. */
    public static void assertFits(long[] counts, double... weights) {
        assertThat(statistic(counts, weights))
                .as("chi-square of %s against weights %s", Arrays.toString(counts), Arrays.toString(weights))
                .isLessThan(quantile(counts.length - 1, Z));
    }

    /**
     * Fails if the counts are closer to the weights than random draws would be in 999 of 1,000 cases. The counts of a
     * cyclic sequence are that close.
     */
    public static void assertNotTooRegular(long[] counts, double... weights) {
        assertThat(statistic(counts, weights))
                .as("chi-square of %s against weights %s", Arrays.toString(counts), Arrays.toString(weights))
                .isGreaterThan(quantile(counts.length - 1, -Z));
    }

    /** Returns this many equal weights. */
    public static double[] equal(int count) {
        double[] weights = new double[count];
        Arrays.fill(weights, 1);
        return weights;
    }

    private static double statistic(long[] counts, double[] weights) {
        assertThat(weights).hasSameSizeAs(counts);
        double total = Arrays.stream(counts).sum();
        double totalWeight = Arrays.stream(weights).sum();
        double statistic = 0;
        for (int i = 0; i < counts.length; i++) {
            double expected = total * weights[i] / totalWeight;
            statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
        }
        return statistic;
    }

    /** The chi-square value at a normal deviate, by the approximation of Wilson and Hilferty (1931). */
    private static double quantile(int degreesOfFreedom, double deviate) {
        double variance = 2.0 / (9 * degreesOfFreedom);
        double root = 1 - variance + deviate * Math.sqrt(variance);
        return degreesOfFreedom * root * root * root;
    }
}
