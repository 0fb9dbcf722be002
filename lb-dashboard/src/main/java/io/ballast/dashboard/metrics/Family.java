package io.ballast.dashboard.metrics;

import java.util.List;

/**
 * A meter with what it measures: the smallest piece that the exposition is written in is one subject.
 *
 * @param subjects what has samples, in order
 * @param samples writes those of one subject
 */
record Family<T>(BallastMeter meter, List<T> subjects, Samples<T> samples) {

    /** Writes the samples of a subject. Reads it at that moment. */
    @FunctionalInterface
    interface Samples<T> {
        void write(ExpositionText text, T subject);
    }

    /** Writes the samples of one subject, the family's head before the first. */
    void write(ExpositionText text, int index) {
        if (index == 0) {
            text.family(meter);
        }
        samples.write(text, subjects.get(index));
    }
}
