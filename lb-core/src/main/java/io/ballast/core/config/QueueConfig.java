package io.ballast.core.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * The queue of requests for a pool whose usable backends are all full.
 *
 * @param size maximum number of waiting requests; further requests get a 503; 0 for no queue
 * @param timeout maximum time that a request waits; then it gets a 503
 */
public record QueueConfig(int size, Duration timeout) {

    public static final QueueConfig DEFAULT = new QueueConfig(0, Duration.ofSeconds(5));

    public QueueConfig {
        Checks.atLeast(size, 0, "size");
        Checks.positive(timeout, "timeout");
    }
}
