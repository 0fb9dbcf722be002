package io.ballast.dashboard.live;

import static io.ballast.core.backend.BackendCounter.FAILED_BAD_RESPONSE;
import static io.ballast.core.backend.BackendCounter.FAILED_CONNECT;
import static io.ballast.core.backend.BackendCounter.FAILED_CONNECT_REFUSED;
import static io.ballast.core.backend.BackendCounter.FAILED_CONNECT_TIMEOUT;
import static io.ballast.core.backend.BackendCounter.FAILED_RESET;
import static io.ballast.core.backend.BackendCounter.FAILED_RESPONSE_TIMEOUT;
import static io.ballast.core.backend.BackendCounter.RESPONSES_1XX;
import static io.ballast.core.backend.BackendCounter.RESPONSES_2XX;
import static io.ballast.core.backend.BackendCounter.RESPONSES_3XX;
import static io.ballast.core.backend.BackendCounter.RESPONSES_4XX;
import static io.ballast.core.backend.BackendCounter.RESPONSES_5XX;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.backend.BackendStats;
import io.ballast.core.pool.PoolCounter;
import java.util.List;

/** Groups of related counters. */
public final class CounterGroups {

    /** Responses by status class, 1xx first. */
    public static final List<BackendCounter> STATUS_CLASSES =
            List.of(RESPONSES_1XX, RESPONSES_2XX, RESPONSES_3XX, RESPONSES_4XX, RESPONSES_5XX);

    /** Failed connection attempts, by kind. */
    private static final List<BackendCounter> CONNECT_FAILURES =
            List.of(FAILED_CONNECT_REFUSED, FAILED_CONNECT_TIMEOUT, FAILED_CONNECT);

    /** Exchanges that failed without a complete response, by kind. */
    public static final List<BackendCounter> FAILURES = List.of(
            FAILED_CONNECT_REFUSED,
            FAILED_CONNECT_TIMEOUT,
            FAILED_CONNECT,
            FAILED_RESET,
            FAILED_RESPONSE_TIMEOUT,
            FAILED_BAD_RESPONSE);

    /** Requests that left the queue without a backend, by cause. */
    public static final List<PoolCounter> QUEUE_FAILURES =
            List.of(PoolCounter.QUEUE_TIMEOUTS, PoolCounter.QUEUE_REFUSED, PoolCounter.QUEUE_LEFT);

    private CounterGroups() {}

    /** Returns the errors of a backend: failures of every kind, and 5xx responses. */
    public static long errors(BackendStats stats) {
        return stats.sum(RESPONSES_5XX) + sum(stats, FAILURES);
    }

    /** Returns the number of attempts that failed to connect. These do not count as requests. */
    static long connectFailures(BackendStats stats) {
        return sum(stats, CONNECT_FAILURES);
    }

    private static long sum(BackendStats stats, List<BackendCounter> counters) {
        long sum = 0;
        for (BackendCounter counter : counters) {
            sum += stats.sum(counter);
        }
        return sum;
    }
}
