package io.ballast.dns.learn;

import io.ballast.core.Checks;
import io.ballast.core.net.IpAddress;
import java.time.Duration;

/**
 * A measured round-trip time between a pool's site and a client.
 *
 * @param client the client's address; only its network is used
 * @param pool name of the pool
 * @param roundTrip the measured time, above 0, at most {@link #MAX_ROUND_TRIP}
 */
public record RoundTripSample(IpAddress client, String pool, Duration roundTrip) {

    /** Longer times are rejected as measurement errors. */
    public static final Duration MAX_ROUND_TRIP = Duration.ofSeconds(60);

    public RoundTripSample {
        Checks.that(
                !roundTrip.isNegative() && !roundTrip.isZero() && roundTrip.compareTo(MAX_ROUND_TRIP) <= 0,
                "rtt_ms",
                roundTrip.toMillis(),
                "above 0, up to " + MAX_ROUND_TRIP.toMillis());
    }
}
