package io.ballast.config.keys.policy;

import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.config.keys.common.RequestQueueKeys;
import io.ballast.core.config.PoolConcurrency;
import io.ballast.core.config.RequestQueue;
import io.ballast.policy.config.ConcurrencyConfig;
import io.ballast.policy.config.LimitKey;
import io.ballast.policy.config.RequestRateConfig;
import io.ballast.policy.config.RequestRateConfig.MissingKey;
import io.ballast.policy.config.RequestRateConfig.OnFull;
import java.util.List;

/** The keys of {@code policies.NAME.concurrency}. */
final class ConcurrencyKeys {

    private static final ShapeBuilder<ConcurrencyConfig> KEYS = Shape.named(
            "concurrency_policy",
            "Limits the requests of each client, or of another key, that are served at the same time. Further requests"
                    + " get 429, or 503 if the key consists of route, host or path.");

    private static final Key<Integer> LIMIT = KEYS.required(
            "limit",
            Scalars.integer(1, PoolConcurrency.MAX_LIMIT),
            "maximum number of requests of a key at the same time",
            ConcurrencyConfig::limit);
    private static final Key<List<LimitKey>> KEY = LimitKeyKeys.parts(KEYS, ConcurrencyConfig::key);
    private static final Key<MissingKey> MISSING = LimitKeyKeys.missing(KEYS, ConcurrencyConfig::missing);
    private static final Key<RequestQueue> QUEUE = KEYS.optional(
            "queue",
            RequestQueueKeys.QUEUE,
            "queue for requests above the limit; all keys share it; default: they are refused at once",
            config -> RequestQueueKeys.used(config.queue()));
    private static final Key<Integer> MAX_KEYS = KEYS.optional(
            "keys",
            Scalars.integer(1, RequestRateConfig.MAX_KEYS),
            RequestRateConfig.DEFAULT_KEYS,
            "maximum number of keys that have requests at the same time",
            ConcurrencyConfig::keys);
    private static final Key<OnFull> ON_FULL = KEYS.optional(
            "on_full",
            EnumWords.of(OnFull.class),
            OnFull.ALLOW,
            "whether requests with a further key are allowed or refused",
            ConcurrencyConfig::onFull);
    private static final Key<Integer> IPV6_PREFIX = LimitKeyKeys.ipv6Prefix(KEYS, ConcurrencyConfig::ipv6PrefixBits);

    static final Type<ConcurrencyConfig> CONCURRENCY = KEYS.build(ConcurrencyKeys::build);

    private ConcurrencyKeys() {}

    private static ConcurrencyConfig build(Values values) {
        return new ConcurrencyConfig(
                values.get(LIMIT),
                values.get(KEY),
                values.get(MISSING),
                values.find(QUEUE).orElse(RequestQueue.NONE),
                values.get(MAX_KEYS),
                values.get(ON_FULL),
                values.get(IPV6_PREFIX));
    }
}
