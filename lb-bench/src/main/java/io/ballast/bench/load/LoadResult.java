package io.ballast.bench.load;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What a run saw. Times are in microseconds from when a request was due to the last octet of its answer; a request
 * without an answer counts with the time that was waited for it. Event-loop confined.
 */
final class LoadResult {

    /** How a request failed, with the names that the harness knows from wrk. */
    enum Failure {
        CONNECT,
        READ,
        TIMEOUT,
        STATUS
    }

    private static final long MOST_MICROS = 600_000_000;

    final Histogram times = new Histogram(MOST_MICROS, /* numberOfSignificantValueDigits= */ 3);
    /** How late the generator itself was when it looked at its schedule. */
    final Histogram lateness = new Histogram(MOST_MICROS, /* numberOfSignificantValueDigits= */ 3);

    long bytes;
    /** From the first request due to the last one sent, at least the time for which requests were due. */
    long elapsedNanos;

    private final long[] failures = new long[Failure.values().length];
    private long answered;

    /** Takes a good answer in. */
    void answered(long nanos) {
        answered++;
        record(times, nanos);
    }

    /** Takes a request in that got no good answer. */
    void failed(Failure failure, long nanos) {
        failures[failure.ordinal()]++;
        record(times, nanos);
    }

    void late(long nanos) {
        record(lateness, nanos);
    }

    private static void record(Histogram histogram, long nanos) {
        histogram.recordValue(Math.min(MOST_MICROS, Math.max(0, nanos / 1000)));
    }

    long answered() {
        return answered;
    }

    long failures(Failure failure) {
        return failures[failure.ordinal()];
    }

    /** One line of JSON. */
    String toJson() {
        StringBuilder errors = new StringBuilder();
        for (Failure failure : Failure.values()) {
            errors.append(errors.isEmpty() ? "" : ", ")
                    .append('"')
                    .append(failure.name().toLowerCase(Locale.ROOT))
                    .append("\": ")
                    .append(failures(failure));
        }
        return String.format(
                Locale.ROOT,
                "{\"requests\": %d, \"microseconds\": %d, \"bytes\": %d, \"errors\": {%s, \"write\": 0}, \"p50\": %d,"
                        + " \"p90\": %d, \"p99\": %d, \"p99_9\": %d, \"max\": %d, \"late_p99\": %d}",
                answered,
                elapsedNanos / 1000,
                bytes,
                errors,
                times.getValueAtPercentile(50),
                times.getValueAtPercentile(90),
                times.getValueAtPercentile(99),
                times.getValueAtPercentile(99.9),
                times.getMaxValue(),
                lateness.getValueAtPercentile(99));
    }
}
