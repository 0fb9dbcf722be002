package io.ballast.http.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * The minimum average transfer rate of a client. Without it, a client could keep a request alive forever by
 * sending one byte before each idle deadline.
 *
 * @param requestBodyBytes bytes per second of a request body, measured from its first byte until the response
 *     begins, except while the backend is slow; 0 for no limit
 * @param responseBytes bytes per second of a response, measured while data is waiting for the client; 0 for
 *     no limit
 * @param grace the initial time in which a client may be slower
 */
public record MinimumRate(int requestBodyBytes, int responseBytes, Duration grace) {

    public static final MinimumRate DEFAULT = new MinimumRate(240, 240, Duration.ofSeconds(5));

    public MinimumRate {
        Checks.atLeast(requestBodyBytes, 0, "request_body");
        Checks.atLeast(responseBytes, 0, "response");
        Checks.positive(grace, "grace");
    }
}
