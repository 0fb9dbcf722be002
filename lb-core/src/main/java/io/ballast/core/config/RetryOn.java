package io.ballast.core.config;

import io.ballast.core.config.HealthCheck.StatusRange;
import java.util.List;

/**
 * What makes another try worth while.
 *
 * @param connectFailure the backend could not be connected to; safe for any method, since nothing was sent
 * @param reset the connection ended before a byte of the response came
 * @param responseTimeout the response did not begin in time
 * @param statuses the response has one of these
 */
public record RetryOn(boolean connectFailure, boolean reset, boolean responseTimeout, List<StatusRange> statuses) {

    public static final RetryOn DEFAULT = new RetryOn(true, true, false, List.of());

    public RetryOn {
        statuses = List.copyOf(statuses);
    }

    /** Whether a response with this status is worth another try. Allocates nothing. */
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
