package io.ballast.bench.load;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * The result of a run. A response time is the number of microseconds from the due time of a request to the
 * last byte of its response. For a request without a response, the time spent waiting is recorded. Event-loop
 * confined.
 */
final class LoadResult {

    /** Kinds of failed requests; the harness uses the names of wrk. */
    enum RequestFailure {
        CONNECT,
        READ,
        TIMEOUT,
        STATUS
    }

    private static final long MAX_MICROS = 600_000_000;

    final Histogram times = new Histogram(MAX_MICROS, /* numberOfSignificantValueDigits= */ 3);
    /** The times of successful responses only. */
    private final Histogram answeredTimes = new Histogram(MAX_MICROS, /* numberOfSignificantValueDigits= */ 3);
    /** How late the load generator's timers fired, relative to the due times of the requests. */
    final Histogram lateness = new Histogram(MAX_MICROS, /* numberOfSignificantValueDigits= */ 3);

    long bytes;
    /** The time from the due time of the first request to the last send; at least the configured duration. */
    long elapsedNanos;

    private final long[] failures = new long[RequestFailure.values().length];
    private long answered;

    /** Records a successful response. */
    void answered(long nanos) {
        answered++;
        record(times, nanos);
        record(answeredTimes, nanos);
    }

    /** Records a failed request. */
    void failed(RequestFailure failure, long nanos) {
        failures[failure.ordinal()]++;
        record(times, nanos);
    }

    void late(long nanos) {
        record(lateness, nanos);
    }

    private static void record(Histogram histogram, long nanos) {
        histogram.recordValue(Math.min(MAX_MICROS, Math.max(0, nanos / 1000)));
    }

    long answered() {
        return answered;
    }

    long failures(RequestFailure failure) {
        return failures[failure.ordinal()];
    }

    /** Returns the result as one line of JSON. */
    String toJson() {
        StringBuilder errors = new StringBuilder();
        for (RequestFailure failure : RequestFailure.values()) {
            errors.append(errors.isEmpty() ? "" : ", ")
                    .append('"')
                    .append(failure.name().toLowerCase(Locale.ROOT))
                    .append("\": ")
                    .append(failures(failure));
        }
        return String.format(
                Locale.ROOT,
                "{\"requests\": %d, \"microseconds\": %d, \"bytes\": %d, \"errors\": {%s, \"write\": 0}, \"p50\": %d,"
                        + " \"p90\": %d, \"p99\": %d, \"p99_9\": %d, \"max\": %d, \"late_p99\": %d,"
                        + " \"answered_p50\": %d, \"answered_p99\": %d}",
                answered,
                elapsedNanos / 1000,
                bytes,
                errors,
                times.getValueAtPercentile(50),
                times.getValueAtPercentile(90),
                times.getValueAtPercentile(99),
                times.getValueAtPercentile(99.9),
                times.getMaxValue(),
                lateness.getValueAtPercentile(99),
                answeredTimes.getValueAtPercentile(50),
                answeredTimes.getValueAtPercentile(99));
    }
}
