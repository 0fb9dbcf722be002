package io.ballast.http.testing;

import io.ballast.core.config.RetryConfig;
import io.ballast.core.config.RetryOn;

/** When tests have requests sent again. */
public final class Retries {

    private Retries() {}

    /** On these conditions; everything else is the default. */
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
