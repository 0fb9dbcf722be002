package io.ballast.dashboard.live;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.backend.BackendStatistics;
import io.ballast.core.backend.BackendStats;
import java.util.List;

/** Computes sums of related counters of a backend. */
final class CounterGroups {

    /** Failed connection attempts, by kind. */
    private static final List<BackendCounter> CONNECT_FAILURES = List.of(
            BackendCounter.FAILED_CONNECT_REFUSED,
            BackendCounter.FAILED_CONNECT_TIMEOUT,
            BackendCounter.FAILED_CONNECT);

    private CounterGroups() {}

    /** Returns the errors of a backend: failures of every kind, and 5xx responses. */
    static long errors(BackendStats stats) {
        return stats.sum(BackendCounter.RESPONSES_5XX) + sum(stats, BackendStatistics.FAILURES);
    }

    /** Returns the number of attempts that failed to connect. Such attempts do not count as requests. */
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
