package io.ballast.dns.config;

import io.ballast.core.Checks;
import io.ballast.core.net.Cidr;
import java.util.List;

/**
 * How many responses the clients of an address, and of the networks around it, get over UDP.
 *
 * @param rate responses per second to one address, for as long as it likes
 * @param instant responses to one address at once; at least {@code rate}
 * @param slip each how manieth response beyond that is an empty, truncated one, after which a client comes back over TCP;
 *     the others are not sent. 1 for all, 0 for none
 * @param exempt networks that are never limited
 */
public record RateLimitConfig(int rate, int instant, int slip, List<Cidr> exempt) {

    public static final int MAX = 100_000;
    public static final int MAX_SLIP = 100;

    public static final RateLimitConfig DEFAULT = new RateLimitConfig(50, instantOf(50), 1, List.of());

    public RateLimitConfig {
        Checks.between(rate, 1, MAX, "rate");
        Checks.between(instant, rate, MAX, "instant");
        Checks.between(slip, 0, MAX_SLIP, "slip");
        exempt = List.copyOf(exempt);
    }

    /** How many responses at once suit a rate: as many as it allows in two and a half seconds. */
    public static int instantOf(int rate) {
        return Math.min(rate * 5 / 2, MAX);
    }
}
