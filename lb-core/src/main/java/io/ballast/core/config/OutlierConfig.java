package io.ballast.core.config;

import io.ballast.core.Checks;
import io.ballast.core.config.HealthCheck.StatusRange;
import java.time.Duration;
import java.util.List;

/**
 * The conditions under which failed requests eject a backend. An ejected backend is out of service for a
 * while, regardless of its health checks.
 *
 * @param consecutiveErrors consecutive failed requests that cause an ejection; a response halves the count; 0
 *     for never
 * @param failurePercent difference in percent between the backend's share of failed requests and that of the
 *     other backends in the pool; 0 for never
 * @param minRequests minimum number of requests in ten seconds, both to the backend and to the other backends
 *     in total; with fewer requests, the shares of failed requests are not compared
 * @param statuses status codes that count as errors, in addition to failed connections and responses
 * @param ejection duration of the first ejection; the second in a row lasts twice as long, the third three
 *     times
 * @param maxEjection longest duration of an ejection; after a backend has been in service for this long, its
 *     next ejection lasts {@code ejection} again
 * @param maxEjectedPercent maximum share of ejected backends in a pool; one backend may always be ejected,
 *     but never the last one that gets traffic
 */
public record OutlierConfig(
        int consecutiveErrors,
        int failurePercent,
        int minRequests,
        List<StatusRange> statuses,
        Duration ejection,
        Duration maxEjection,
        int maxEjectedPercent) {

    public static final int MAX_ERRORS = 100;
    public static final int MAX_MIN_REQUESTS = 1_000_000;

    public static final OutlierConfig DEFAULT = new OutlierConfig(
            5, 30, 30, List.of(new StatusRange(502, 504)), Duration.ofSeconds(10), Duration.ofMinutes(5), 50);

    /** Settings that never eject a backend. */
    public static final OutlierConfig OFF = new OutlierConfig(
            0, 0, DEFAULT.minRequests, List.of(), DEFAULT.ejection, DEFAULT.maxEjection, DEFAULT.maxEjectedPercent);

    public OutlierConfig {
        Checks.between(consecutiveErrors, 0, MAX_ERRORS, "consecutive_errors");
        Checks.between(failurePercent, 0, 100, "failure_share");
        Checks.between(minRequests, 1, MAX_MIN_REQUESTS, "min_requests");
        statuses = List.copyOf(statuses);
        Checks.positive(ejection, "ejection");
        Checks.that(maxEjection.compareTo(ejection) >= 0, "max_ejection", maxEjection, "not shorter than ejection");
        Checks.between(maxEjectedPercent, 1, 100, "max_ejected");
    }

    public boolean isOff() {
        return consecutiveErrors == 0;
    }

    /** Whether a response with this status counts as an error. Allocates nothing. */
    public boolean covers(int status) {
        for (int i = 0; i < statuses.size(); i++) {
            StatusRange range = statuses.get(i);
            if (range.low() <= status && status <= range.high()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns how long a backend is ejected.
     *
     * @param inARow the number of consecutive ejections, including this one
     */
    public Duration ejection(int inARow) {
        // Compares before it multiplies, because the product might overflow.
        return inARow >= maxEjection.dividedBy(ejection) ? maxEjection : ejection.multipliedBy(inARow);
    }

    /** Maximum number of backends that may be ejected. */
    public int maxEjected(int backends) {
        int share = (int) ((long) backends * maxEjectedPercent / 100);
        return Math.min(Math.max(share, 1), backends - 1);
    }
}
