package io.ballast.http.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * How fast a client must be at least, on average. Without it, one octet just before every idle deadline would keep a
 * request alive for ever.
 *
 * @param requestBodyBytes octets per second of a request body, counted from its first octet until a response begins, and
 *     not while its backend is slow; 0 for no limit
 * @param responseBytes octets per second of a response, counted while what is to be sent piles up; 0 for no limit
 * @param grace how long a client may be slower at first
 */
public record MinimumRate(int requestBodyBytes, int responseBytes, Duration grace) {

    public static final MinimumRate DEFAULT = new MinimumRate(240, 240, Duration.ofSeconds(5));

    public MinimumRate {
        Checks.atLeast(requestBodyBytes, 0, "request_body");
        Checks.atLeast(responseBytes, 0, "response");
        Checks.positive(grace, "grace");
    }
}
