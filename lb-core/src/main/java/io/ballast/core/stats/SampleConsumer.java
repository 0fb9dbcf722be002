package io.ballast.core.stats;

/**
 * Receives the current values of a {@link Statistic}. The methods do not receive labels that identify the
 * statistic's source, such as the name of a listener.
 */
public interface SampleConsumer {

    /** Receives the value of a statistic without further labels. */
    void value(long value);

    /** Receives the value of a statistic for one value of the last label. */
    void value(String label, long value);

    /** Receives the value of a statistic for one combination of its last two labels. */
    void value(String first, String second, long value);

    /** Receives the duration of a statistic without further labels. */
    void nanos(long nanos);

    /** Receives a distribution of times for one value of the statistic's last label. */
    void histogram(String label, LatencySummary times);
}
