package io.ballast.core.config;

import io.ballast.core.Checks;
import io.ballast.core.config.HealthCheck.StatusRange;
import java.time.Duration;
import java.util.List;

/**
 * When a backend whose requests fail is ejected: taken out for a while, whatever its checks say.
 *
 * @param consecutiveErrors requests that fail one after the other until then; an answer in between takes half of those before
 *     it back; 0 for never
 * @param failurePercent how much larger a share of its requests must fail than of the others' in the pool, in percent of its
 *     requests; 0 for never
 * @param minRequests below so many requests in ten seconds, of its own and of the others, shares are not compared
 * @param statuses answers that count as an error, beside connections and responses that fail
 * @param ejection for how long the first time; the second time in a row twice as long, the third time three times
 * @param maxEjection the longest time; after as long in service, earlier ejections are forgotten
 * @param maxEjectedPercent of a pool's backends that take traffic or are ejected; one may always be ejected, but never the last
 *     one that takes traffic
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

    /** Nothing is ejected. */
    public static final OutlierConfig OFF = new OutlierConfig(
            0, 0, DEFAULT.minRequests, List.of(), DEFAULT.ejection, DEFAULT.maxEjection, DEFAULT.maxEjectedPercent);

    public OutlierConfig {
        Checks.between(consecutiveErrors, 0, MAX_ERRORS, "consecutive_errors");
        Checks.between(failurePercent, 0, 100, "failure_share");
        Checks.between(minRequests, 1, MAX_MIN_REQUESTS, "min_requests");
        statuses = List.copyOf(statuses);
        Checks.positive(ejection, "ejection");
        Checks.that(maxEjection.compareTo(ejection) >= 0, "max_ejection", maxEjection, "at least ejection");
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
     * For how long a backend is out.
     *
     * @param inARow which ejection in a row it is, from 1 on
     */
    public Duration ejection(int inARow) {
        // Compared before it is multiplied, which might not fit.
        return inARow >= maxEjection.dividedBy(ejection) ? maxEjection : ejection.multipliedBy(inARow);
    }

    /** How many of so many backends may be ejected at most. */
    public int maxEjected(int backends) {
        int share = (int) ((long) backends * maxEjectedPercent / 100);
        return Math.min(Math.max(share, 1), backends - 1);
    }
}
