package io.ballast.core.stats;

/**
 * A statistic of one object.
 *
 * @param source the object that has the values
 */
public record BoundStatistic<S>(Statistic<S> statistic, S source) {

    /** Reports the current values. */
    public void read(SampleConsumer samples) {
        statistic.reader().read(source, samples);
    }
}
