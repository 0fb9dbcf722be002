package io.ballast.http.testing;

import io.ballast.core.config.RetryConfig;
import io.ballast.core.config.RetryOn;

/** Retry configurations for tests. */
public final class Retries {

    private Retries() {}

    /** Retries on these conditions, with defaults for all other options. */
    public static RetryConfig on(RetryOn conditions) {
        RetryConfig usual = RetryConfig.DEFAULT;
        return new RetryConfig(
                conditions,
                usual.methods(),
                usual.attempts(),
                usual.perTryTimeout(),
                usual.budget(),
                usual.bodyBufferBytes());
    }
}
