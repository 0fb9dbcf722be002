package io.ballast.dashboard.metrics;

import io.ballast.core.stats.Metric;
import java.util.List;

/**
 * A metric family. The exposition is written in pieces; a piece contains the samples of at least one subject.
 *
 * @param subjects the objects that have samples, such as pools, in order
 * @param samples writes the samples of one subject
 */
record MetricFamily<T>(Metric metric, List<T> subjects, Samples<T> samples) {

    MetricFamily(BallastMeter meter, List<T> subjects, Samples<T> samples) {
        this(meter.metric(), subjects, samples);
    }

    /** Writes the current samples of a subject. */
    @FunctionalInterface
    interface Samples<T> {
        void write(ExpositionText text, T subject);
    }

    /**
     * Writes the samples of subject {@code index}; before the first subject, also writes the head of the
     * family.
     */
    void write(ExpositionText text, int index) {
        if (index == 0) {
            text.family(metric);
        }
        samples.write(text, subjects.get(index));
    }
}
