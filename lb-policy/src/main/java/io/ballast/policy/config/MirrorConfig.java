package io.ballast.policy.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * Mirroring of requests.
 *
 * @param pool the pool that gets the mirrored requests
 * @param share the share of requests to mirror, in hundredths of a percent
 * @param maxBodyBytes the maximum length of a request body; requests with longer bodies are not mirrored
 * @param maxInFlight the maximum number of mirrored requests at the same time, by all event loops together
 * @param timeout the time until the response to a mirrored request must be complete
 */
public record MirrorConfig(String pool, int share, int maxBodyBytes, int maxInFlight, Duration timeout)
        implements PolicyRule {

    /** The value of {@code share} that mirrors all requests. */
    public static final int MAX_SHARE = 10_000;

    public static final int DEFAULT_MAX_BODY_BYTES = 64 * 1024;
    public static final int MAX_MAX_BODY_BYTES = 16 * 1024 * 1024;
    public static final int DEFAULT_MAX_IN_FLIGHT = 100;
    public static final int MAX_MAX_IN_FLIGHT = 1000;
    /** The maximum of {@code maxBodyBytes * maxInFlight}: the memory that the bodies may need. */
    public static final long MAX_MEMORY_BYTES = 256L * 1024 * 1024;

    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
    public static final Duration MAX_TIMEOUT = Duration.ofMinutes(5);

    public MirrorConfig {
        Checks.between(share, 0, MAX_SHARE, "share");
        Checks.between(maxBodyBytes, 0, MAX_MAX_BODY_BYTES, "maxBodyBytes");
        Checks.between(maxInFlight, 1, MAX_MAX_IN_FLIGHT, "maxInFlight");
        Checks.positive(timeout, "timeout");
    }

    /** Mirrors all requests to a pool, with the default limits. */
    public static MirrorConfig to(String pool) {
        return new MirrorConfig(pool, MAX_SHARE, DEFAULT_MAX_BODY_BYTES, DEFAULT_MAX_IN_FLIGHT, DEFAULT_TIMEOUT);
    }

    @Override
    public String kind() {
        return "mirror";
    }
}
