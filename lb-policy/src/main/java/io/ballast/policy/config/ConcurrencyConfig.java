package io.ballast.policy.config;

import io.ballast.core.Checks;
import io.ballast.core.config.PoolConcurrency;
import io.ballast.core.config.RequestQueue;
import io.ballast.policy.config.RequestRateConfig.MissingKey;
import io.ballast.policy.config.RequestRateConfig.OnFull;
import java.util.List;

/**
 * A limit of concurrent requests by key.
 *
 * @param limit the maximum number of requests of a key at the same time
 * @param key the parts of a request that together select a counter
 * @param missing the effect of a missing part, such as a cookie
 * @param queue the queue for requests above the limit, with at most {@value #MAX_WAITING} places; all keys share the
 *     queue, and the requests of one key may take a quarter of the places
 * @param keys the maximum number of keys that have requests at the same time
 * @param onFull whether requests with a new key are allowed or refused while the table is full
 * @param ipv6PrefixBits the length of the prefix that identifies an IPv6 client
 */
public record ConcurrencyConfig(
        int limit,
        List<LimitKey> key,
        MissingKey missing,
        RequestQueue queue,
        int keys,
        OnFull onFull,
        int ipv6PrefixBits)
        implements PolicyRule {

    /** A larger queue would be too slow, because each release searches all waiting requests. */
    public static final int MAX_WAITING = 1000;

    public ConcurrencyConfig {
        key = List.copyOf(key);
        Checks.between(limit, 1, PoolConcurrency.MAX_LIMIT, "limit");
        Checks.between(queue.requests(), 0, MAX_WAITING, "requests");
        Checks.that(!key.isEmpty(), "key", key, "at least one part");
        Checks.between(keys, 1, RequestRateConfig.MAX_KEYS, "keys");
        Checks.between(ipv6PrefixBits, 1, 128, "ipv6_prefix");
    }

    /** Returns a limit by client address with the default settings. */
    public static ConcurrencyConfig perClient(int limit, RequestQueue queue) {
        return new ConcurrencyConfig(
                limit,
                List.of(LimitKey.CLIENT),
                MissingKey.CLIENT,
                queue,
                RequestRateConfig.DEFAULT_KEYS,
                OnFull.ALLOW,
                RequestRateConfig.DEFAULT_IPV6_PREFIX);
    }

    @Override
    public String kind() {
        return "concurrency";
    }
}
