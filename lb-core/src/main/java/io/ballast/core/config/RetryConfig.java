package io.ballast.core.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * When a request that failed at one backend is tried at another. How many backends are tried because they cannot be
 * connected to is said by {@link BackendConnections#attempts}.
 *
 * @param on what makes another try worth while
 * @param methods which requests may be sent again after a backend got them
 * @param attempts most backends that get the request, the first included
 * @param perTryTimeout how long each may take to begin its response, if that is less than the response timeout; zero for no
 *     deadline of its own
 * @param budget how many requests may be sent again, compared with all
 * @param sameBackend whether backends that have ended the connection get the request again when no other is left
 * @param bodyBufferBytes how much of a body is kept to be sent again; a request of which more was sent is not tried again
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

    /** One that goes to another backend each time. */
    public RetryConfig(
            RetryOn on,
            RetryMethods methods,
            int attempts,
            Duration perTryTimeout,
            RetryBudgetConfig budget,
            int bodyBufferBytes) {
        this(on, methods, attempts, perTryTimeout, budget, DEFAULT_SAME_BACKEND, bodyBufferBytes);
    }

    /** How long a backend may take to begin its response. */
    public Duration responseTimeout(Duration otherwise) {
        return perTryTimeout.isZero() || perTryTimeout.compareTo(otherwise) > 0 ? otherwise : perTryTimeout;
    }
}
