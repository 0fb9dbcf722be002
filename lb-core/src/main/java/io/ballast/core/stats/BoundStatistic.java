package io.ballast.core.stats;

/**
 * A statistic together with the object from which its values are read.
 *
 * @param source the object that has the values
 */
public record BoundStatistic<S>(Statistic<S> statistic, S source) {

    /** Reports the current values. */
    public void read(SampleConsumer samples) {
        statistic.reader().read(source, samples);
    }
}
