package io.ballast.core.config;

import io.ballast.core.config.HealthCheck.StatusRange;
import java.util.List;

/**
 * The failures that allow a retry.
 *
 * @param connectFailure the connection could not be established; safe for any method, because nothing was sent
 * @param reset the connection ended before the first byte of the response
 * @param responseTimeout the response did not begin in time
 * @param statuses the response has one of these statuses
 */
public record RetryOn(boolean connectFailure, boolean reset, boolean responseTimeout, List<StatusRange> statuses) {

    public static final RetryOn DEFAULT = new RetryOn(true, true, false, List.of());

    public RetryOn {
        statuses = List.copyOf(statuses);
    }

    /** Returns whether a response with this status allows a retry. Allocates nothing. */
    public boolean covers(int status) {
        for (int i = 0; i < statuses.size(); i++) {
            StatusRange range = statuses.get(i);
            if (range.low() <= status && status <= range.high()) {
                return true;
            }
        }
        return false;
    }
}
