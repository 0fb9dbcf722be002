package io.ballast.core.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * The retries of requests that failed on a backend. {@link BackendConnections#attempts} limits retries after
 * failed connects separately.
 *
 * @param on the failures that allow a retry
 * @param methods the methods of requests that may be sent again after a backend received them
 * @param attempts the maximum number of backends that receive the request, including the first
 * @param perTryTimeout the time limit for the start of each response, if it is shorter than the response
 *     timeout; zero for none
 * @param budget the limit of retries relative to all requests
 * @param sameBackend whether the request may be sent again to a backend that closed the connection, if no
 *     other backend is left
 * @param bodyBufferBytes the number of body bytes that are buffered for a retry; a request that has sent more
 *     is not retried
 */
public record RetryConfig(
        RetryOn on,
        RetryMethods methods,
        int attempts,
        Duration perTryTimeout,
        RetryBudgetConfig budget,
        boolean sameBackend,
        int bodyBufferBytes) {

    public static final boolean DEFAULT_SAME_BACKEND = false;

    public static final int MAX_BODY_BUFFER = 1024 * 1024;

    public static final RetryConfig DEFAULT = new RetryConfig(
            RetryOn.DEFAULT,
            RetryMethods.IDEMPOTENT,
            2,
            Duration.ZERO,
            RetryBudgetConfig.DEFAULT,
            DEFAULT_SAME_BACKEND,
            16 * 1024);

    public RetryConfig {
        Checks.between(attempts, 1, BackendConnections.MAX_ATTEMPTS, "attempts");
        Checks.that(!perTryTimeout.isNegative(), "per_try_timeout", perTryTimeout, ">= 0");
        Checks.between(bodyBufferBytes, 0, MAX_BODY_BUFFER, "body_buffer");
    }

    /** Creates a configuration that uses another backend for each attempt. */
    public RetryConfig(
            RetryOn on,
            RetryMethods methods,
            int attempts,
            Duration perTryTimeout,
            RetryBudgetConfig budget,
            int bodyBufferBytes) {
        this(on, methods, attempts, perTryTimeout, budget, DEFAULT_SAME_BACKEND, bodyBufferBytes);
    }

    /** Returns a copy with these settings for attempts. */
    public RetryConfig withAttempts(int attempts, boolean sameBackend) {
        return new RetryConfig(on, methods, attempts, perTryTimeout, budget, sameBackend, bodyBufferBytes);
    }

    /**
     * Returns the time limit for the start of a response: the limit per try, or the response timeout
     * {@code otherwise} if that is shorter or no limit per try is set.
     */
    public Duration responseTimeout(Duration otherwise) {
        return perTryTimeout.isZero() || perTryTimeout.compareTo(otherwise) > 0 ? otherwise : perTryTimeout;
    }
}
