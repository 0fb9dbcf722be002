package io.ballast.config.keys.pool;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.RequestQueueKeys;
import io.ballast.core.config.PoolConcurrency;
import io.ballast.core.config.RequestQueue;
import java.util.Optional;

/** The keys of {@code pools.NAME.concurrency}. */
final class PoolConcurrencyKeys {

    private static final Type<Integer> COUNT = Scalars.integer(1, PoolConcurrency.MAX_LIMIT);

    private static final ShapeBuilder<PoolConcurrency> KEYS = Shape.named(
            "pool_concurrency",
            "Limits the HTTP requests of the pool that are served at the same time. Further requests get 503 with"
                    + " Retry-After.");

    private static final Key<Integer> LIMIT = KEYS.optional(
            "limit",
            COUNT,
            "fixed limit; required unless adaptive",
            limit -> Optional.of(limit.max()).filter(max -> !limit.adaptive()));
    private static final Key<Boolean> ADAPTIVE = KEYS.optional(
            "adaptive",
            Scalars.BOOLEAN,
            /* fallback= */ false,
            "true: the limit follows the latency of the backends",
            PoolConcurrency::adaptive);
    private static final Key<Integer> MIN = KEYS.optional(
            "min",
            COUNT,
            "smallest adaptive limit, also used at the start; default: " + PoolConcurrency.DEFAULT_MIN
                    + "; only with adaptive",
            limit -> Optional.of(limit.min()).filter(min -> limit.adaptive()));
    private static final Key<Integer> MAX = KEYS.optional(
            "max",
            COUNT,
            "largest adaptive limit; default: " + PoolConcurrency.DEFAULT_MAX + "; only with adaptive",
            limit -> Optional.of(limit.max()).filter(max -> limit.adaptive()));
    private static final Key<RequestQueue> QUEUE = KEYS.optional(
            "queue",
            RequestQueueKeys.QUEUE,
            "queue for requests above the limit; default: they are refused at once",
            limit -> RequestQueueKeys.used(limit.queue()));

    /** A limit, written as a mapping or as a number alone. */
    static final Type<PoolConcurrency> CONCURRENCY = new BriefType<>(
            COUNT.map(PoolConcurrency::fixed, PoolConcurrency::max),
            KEYS.build(PoolConcurrencyKeys::build),
            limit -> !limit.adaptive() && limit.queue().equals(RequestQueue.NONE));

    private PoolConcurrencyKeys() {}

    private static PoolConcurrency build(Values values) {
        RequestQueue queue = values.find(QUEUE).orElse(RequestQueue.NONE);
        if (values.get(ADAPTIVE)) {
            refuse(values, LIMIT, "adaptive: false");
            return new PoolConcurrency(
                    /* adaptive= */ true,
                    values.find(MIN).orElse(PoolConcurrency.DEFAULT_MIN),
                    values.find(MAX).orElse(PoolConcurrency.DEFAULT_MAX),
                    queue);
        }
        refuse(values, MIN, "adaptive: true");
        refuse(values, MAX, "adaptive: true");
        if (!values.has(LIMIT) && !values.isInvalid(LIMIT)) {
            values.reading().error(values.mapping(), "no limit (expected: limit, or adaptive: true)");
        }
        int limit = values.find(LIMIT).orElse(1);
        return new PoolConcurrency(/* adaptive= */ false, limit, limit, queue);
    }

    private static void refuse(Values values, Key<?> key, String expected) {
        if (values.has(key) && !values.isInvalid(ADAPTIVE)) {
            values.reading().error(values.node(key), "has no effect (expected: " + expected + ")");
        }
    }
}
