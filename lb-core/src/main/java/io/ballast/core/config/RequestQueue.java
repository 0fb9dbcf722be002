package io.ballast.core.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * A queue of requests that wait because a concurrency limit is reached.
 *
 * @param requests maximum number of waiting requests, at most {@value #MAX_REQUESTS}; 0 for no queue
 * @param time maximum time that a request waits, at most one minute
 */
public record RequestQueue(int requests, Duration time) {

    public static final int MAX_REQUESTS = 10_000;
    public static final Duration MAX_TIME = Duration.ofMinutes(1);
    public static final Duration DEFAULT_TIME = Duration.ofSeconds(1);

    /** No request waits. */
    public static final RequestQueue NONE = new RequestQueue(0, DEFAULT_TIME);

    public RequestQueue {
        Checks.between(requests, 0, MAX_REQUESTS, "requests");
        Checks.positive(time, "time");
        Checks.that(time.compareTo(MAX_TIME) <= 0, "time", time, "<= 1m");
    }
}
