package io.ballast.config.keys.pool;

import static io.ballast.core.config.QueueConfig.DEFAULT;

import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.core.config.QueueConfig;
import java.time.Duration;

/** The keys of {@code pools.NAME.queue}. */
final class QueueKeys {

    private static final ShapeBuilder<QueueConfig> KEYS = Shape.named(
            "queue", "Queue for requests that wait because every usable backend of a pool is at its limit.");

    private static final Key<Integer> SIZE = KEYS.optional(
            "size",
            Scalars.integer(0, Integer.MAX_VALUE),
            DEFAULT.size(),
            "maximum number of waiting requests; further requests get 503 at once; 0 disables the queue",
            QueueConfig::size);
    private static final Key<Duration> TIMEOUT = KEYS.optional(
            "timeout",
            Durations.DURATION,
            DEFAULT.timeout(),
            "maximum time that a request waits; after it, the client gets 503",
            QueueConfig::timeout);

    static final Type<QueueConfig> QUEUE = KEYS.build(values -> new QueueConfig(values.get(SIZE), values.get(TIMEOUT)));

    private QueueKeys() {}
}
