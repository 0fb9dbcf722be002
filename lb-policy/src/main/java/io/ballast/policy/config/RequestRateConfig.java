package io.ballast.policy.config;

import io.ballast.core.Checks;
import io.ballast.core.net.Cidr;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A rate limit.
 *
 * @param rates the rates; a request must conform to all of them
 * @param key the parts of a request that together select a counter
 * @param missing the effect of a missing part, such as a cookie
 * @param exempt clients without a limit
 * @param countedStatuses the statuses of responses that count; empty if requests count
 * @param ban the ban of clients that continue after refusals; empty for none
 * @param keys the maximum number of keys
 * @param onFull whether a new key is allowed or refused while the table is full
 * @param delay how long a request may wait until it conforms; zero to refuse it at once
 * @param headers the headers that describe the limit to the client
 * @param ipv6PrefixBits the length of the prefix that identifies an IPv6 client
 * @param scope whether the limit applies to this node, or to all nodes of the cluster together
 */
public record RequestRateConfig(
        List<Rate> rates,
        List<LimitKey> key,
        MissingKey missing,
        List<Cidr> exempt,
        Set<Integer> countedStatuses,
        Optional<Ban> ban,
        int keys,
        OnFull onFull,
        Duration delay,
        Headers headers,
        int ipv6PrefixBits,
        Scope scope)
        implements PolicyRule {

    public static final int DEFAULT_KEYS = 100_000;
    public static final int MAX_KEYS = 10_000_000;
    public static final int DEFAULT_IPV6_PREFIX = 64;
    public static final Duration MAX_DELAY = Duration.ofMinutes(1);
    /** The maximum number of keys of a limit that nodes share: each node reads all of them every second. */
    public static final int MAX_SHARED_KEYS = 1_000_000;

    private static final int MAX_RATES = 4;

    /** The requests that count together. */
    public enum Scope {
        /** The requests that this node receives. */
        NODE,
        /** The requests of all nodes of the cluster. */
        CLUSTER
    }

    /** The effect on a request that lacks one of the parts of the key. */
    public enum MissingKey {
        /** The client's address replaces the part. */
        CLIENT,
        /** The limit does not apply. */
        SKIP,
        /** The request is refused. */
        REFUSE
    }

    /** The decision about a new key while the table is full. */
    public enum OnFull {
        ALLOW,
        REFUSE
    }

    /** The headers of responses that describe the limit. */
    public enum Headers {
        NONE,
        /** {@code RateLimit} and {@code RateLimit-Policy} of draft-ietf-httpapi-ratelimit-headers. */
        RATELIMIT,
        /** {@code X-RateLimit-Limit}, {@code -Remaining} and {@code -Reset}. */
        X_RATELIMIT
    }

    /**
     * A ban.
     *
     * @param after the number of refusals within {@code duration} after which a key is banned
     * @param duration how long every request of the key is refused
     */
    public record Ban(int after, Duration duration) {
        public Ban {
            Checks.between(after, 1, Rate.MAX_COUNT, "after");
            Checks.that(
                    !duration.isNegative() && !duration.isZero() && duration.compareTo(Rate.MAX_PERIOD) <= 0,
                    "for",
                    duration,
                    "> 0s and <= 1d");
        }
    }

    public RequestRateConfig {
        rates = List.copyOf(rates);
        key = List.copyOf(key);
        exempt = List.copyOf(exempt);
        countedStatuses = Set.copyOf(countedStatuses);
        Checks.between(rates.size(), 1, MAX_RATES, "rate");
        Checks.that(!key.isEmpty(), "key", key, "at least one part");
        Checks.between(keys, 1, MAX_KEYS, "keys");
        Checks.between(ipv6PrefixBits, 1, 128, "ipv6_prefix");
        Checks.that(!delay.isNegative() && delay.compareTo(MAX_DELAY) <= 0, "delay", delay, ">= 0s and <= 1m");
        Checks.that(delay.isZero() || countedStatuses.isEmpty(), "delay", delay, "no delay if responses count");
        Checks.that(
                scope == Scope.NODE || keys <= MAX_SHARED_KEYS,
                "keys",
                keys,
                "at most " + MAX_SHARED_KEYS + " with scope: cluster");
    }

    /** Returns a limit by client address with the default settings. */
    public static RequestRateConfig perClient(Rate rate) {
        return new RequestRateConfig(
                List.of(rate),
                List.of(LimitKey.CLIENT),
                MissingKey.CLIENT,
                List.of(),
                Set.of(),
                Optional.empty(),
                DEFAULT_KEYS,
                OnFull.ALLOW,
                Duration.ZERO,
                Headers.NONE,
                DEFAULT_IPV6_PREFIX,
                Scope.NODE);
    }

    @Override
    public String kind() {
        return "rate_limit";
    }
}
