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

    private static final ShapeBuilder<QueueConfig> KEYS =
            Shape.named("queue", "The wait queue for requests while every usable backend of a pool is full.");

    private static final Key<Integer> SIZE = KEYS.optional(
            "size",
            Scalars.integer(0, Integer.MAX_VALUE),
            DEFAULT.size(),
            "maximum number of waiting requests; above it 503 at once; 0 for no queue",
            QueueConfig::size);
    private static final Key<Duration> TIMEOUT = KEYS.optional(
            "timeout",
            Durations.DURATION,
            DEFAULT.timeout(),
            "how long a request waits; then 503",
            QueueConfig::timeout);

    static final Type<QueueConfig> QUEUE = KEYS.build(values -> new QueueConfig(values.get(SIZE), values.get(TIMEOUT)));

    private QueueKeys() {}
}
