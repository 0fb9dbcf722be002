package io.ballast.core.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * Where requests wait while every usable backend of a pool is full.
 *
 * @param size most requests that wait at once; beyond it 503 at once; 0 for no queue
 * @param timeout how long a request waits; then 503
 */
public record QueueConfig(int size, Duration timeout) {

    public static final QueueConfig DEFAULT = new QueueConfig(0, Duration.ofSeconds(5));

    public QueueConfig {
        Checks.atLeast(size, 0, "size");
        Checks.positive(timeout, "timeout");
    }
}
