package io.ballast.dns.config;

import io.ballast.core.Checks;
import io.ballast.core.net.Cidr;
import java.util.List;

/**
 * Limits of UDP responses to an address and its networks.
 *
 * @param rate sustained responses per second to one address
 * @param instant burst of responses to one address; at least {@code rate}
 * @param slip one of this many limited responses is sent empty and truncated, so that the client retries over TCP;
 *     other limited responses are dropped. 1 truncates all, 0 drops all
 * @param exempt networks without limits
 */
public record RateLimitConfig(int rate, int instant, int slip, List<Cidr> exempt) {

    public static final int MAX = 100_000;
    public static final int MAX_SLIP = 100;

    public static final RateLimitConfig DEFAULT = new RateLimitConfig(50, defaultInstant(50), 1, List.of());

    public RateLimitConfig {
        Checks.between(rate, 1, MAX, "rate");
        Checks.between(instant, rate, MAX, "instant");
        Checks.between(slip, 0, MAX_SLIP, "slip");
        exempt = List.copyOf(exempt);
    }

    /** Returns the default burst for a rate: as many responses as the rate permits in two and a half seconds. */
    public static int defaultInstant(int rate) {
        return Math.min(rate * 5 / 2, MAX);
    }
}
