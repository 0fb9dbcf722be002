package io.ballast.dashboard.metrics;

import java.util.List;

/**
 * A metric family. The exposition is written in pieces; a piece contains the samples of at least one subject.
 *
 * @param subjects the objects that have samples, such as pools, in order
 * @param samples writes the samples of one subject
 */
record MetricFamily<T>(BallastMeter meter, List<T> subjects, Samples<T> samples) {

    /** Writes the current samples of a subject. */
    @FunctionalInterface
    interface Samples<T> {
        void write(ExpositionText text, T subject);
    }

    /** Writes the samples of one subject, and the head of the family before the first one. */
    void write(ExpositionText text, int index) {
        if (index == 0) {
            text.family(meter);
        }
        samples.write(text, subjects.get(index));
    }
}
