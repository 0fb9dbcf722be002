package io.ballast.core.config;

import io.ballast.core.Checks;
import java.time.Duration;
import java.util.Optional;

/**
 * The conditions under which a pool gets no requests for a time, because too many requests fail or are slow.
 *
 * @param errorPercent the share of failed requests that opens the circuit breaker, from 1 to 100
 * @param window the time over which requests are counted, at most one hour
 * @param minRequests the minimum number of requests in the window; with fewer requests, the shares are not evaluated
 * @param slow the share of slow responses that opens the circuit breaker; absent if response times are not evaluated
 * @param open how long the circuit breaker is open before it lets probes pass; doubles with each failed probe
 * @param maxOpen the limit of this doubling; at least {@code open}
 * @param probes the number of requests that test the pool, and that must all succeed
 * @param fallback the pool that gets the requests while the circuit breaker is open; absent to answer them with
 *     {@code page}
 * @param page the response while the circuit breaker is open; absent for a plain 503
 */
public record CircuitBreakerConfig(
        int errorPercent,
        Duration window,
        int minRequests,
        Optional<Slow> slow,
        Duration open,
        Duration maxOpen,
        int probes,
        Optional<String> fallback,
        Optional<MaintenancePage> page) {

    public static final int MAX_MIN_REQUESTS = 100_000;
    public static final int MAX_PROBES = 1000;
    public static final Duration MAX_TIME = Duration.ofHours(1);

    public static final CircuitBreakerConfig DEFAULT = new CircuitBreakerConfig(
            50,
            Duration.ofSeconds(10),
            20,
            Optional.empty(),
            Duration.ofSeconds(5),
            Duration.ofMinutes(1),
            3,
            Optional.empty(),
            Optional.empty());

    /**
     * The condition that opens the circuit breaker because of slow responses.
     *
     * @param percent the share that opens the circuit breaker, from 1 to 100
     * @param time the time until the head of the response; a response that takes at least this time is slow
     */
    public record Slow(int percent, Duration time) {
        public Slow {
            Checks.between(percent, 1, 100, "share");
            Checks.positive(time, "time");
        }
    }

    public CircuitBreakerConfig {
        Checks.between(errorPercent, 1, 100, "errors");
        Checks.between(minRequests, 1, MAX_MIN_REQUESTS, "min_requests");
        Checks.between(probes, 1, MAX_PROBES, "probes");
        atMostMax(window, "window");
        atMostMax(open, "open");
        atMostMax(maxOpen, "max_open");
        Checks.that(maxOpen.compareTo(open) >= 0, "max_open", maxOpen, "not shorter than open");
        Checks.that(fallback.isEmpty() || page.isEmpty(), "page", "both", "either fallback or page");
    }

    private static void atMostMax(Duration value, String name) {
        Checks.positive(value, name);
        Checks.that(value.compareTo(MAX_TIME) <= 0, name, value, "<= 1h");
    }
}
