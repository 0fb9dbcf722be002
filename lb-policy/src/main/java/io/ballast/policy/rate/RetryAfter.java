package io.ballast.policy.rate;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.policy.PolicyExchange;
import java.util.concurrent.TimeUnit;

/** Writes {@code Retry-After} (RFC 9110 section 10.2.3). */
public final class RetryAfter {

    private RetryAfter() {}

    /**
     * Adds the header to the response.
     *
     * @param nanos the time in nanoseconds, at least 1; rounded up to whole seconds
     */
    public static void append(PolicyExchange exchange, long nanos) {
        ByteAppender lines = exchange.responseLines();
        lines.appendAscii("Retry-After: ");
        lines.appendDecimal((nanos - 1) / TimeUnit.SECONDS.toNanos(1) + 1);
        lines.appendAscii("\r\n");
    }
}
