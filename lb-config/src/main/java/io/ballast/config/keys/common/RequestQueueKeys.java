package io.ballast.config.keys.common;

import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.core.Checks;
import io.ballast.core.config.RequestQueue;
import java.time.Duration;
import java.util.Optional;

/** The keys of the queue of a concurrency limit. */
public final class RequestQueueKeys {

    private static final ShapeBuilder<RequestQueue> KEYS =
            Shape.named("concurrency_queue", "Queue for requests above a concurrency limit, first in, first out.");

    private static final Key<Integer> REQUESTS = KEYS.required(
            "requests",
            Scalars.integer(1, RequestQueue.MAX_REQUESTS),
            "maximum number of waiting requests; further requests are refused at once",
            RequestQueue::requests);
    private static final Key<Duration> TIME = KEYS.optional(
            "time",
            Durations.DURATION.map(RequestQueueKeys::requireInRange, time -> time),
            RequestQueue.DEFAULT_TIME,
            "maximum time that a request waits, at most 1m; after it, the request is refused",
            RequestQueue::time);

    public static final Type<RequestQueue> QUEUE =
            KEYS.build(values -> new RequestQueue(values.get(REQUESTS), values.get(TIME)));

    private RequestQueueKeys() {}

    private static Duration requireInRange(Duration time) {
        boolean isInRange = !time.isZero() && time.compareTo(RequestQueue.MAX_TIME) <= 0;
        Checks.that(isInRange, "duration", time, "> 0s and <= 1m");
        return time;
    }

    /** Returns the queue; empty if its size is 0. */
    public static Optional<RequestQueue> used(RequestQueue queue) {
        return Optional.of(queue).filter(some -> some.requests() > 0);
    }
}
