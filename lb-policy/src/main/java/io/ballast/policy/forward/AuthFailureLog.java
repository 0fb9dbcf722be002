package io.ballast.policy.forward;

import io.ballast.core.ErrorText;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs requests that the authentication server did not answer, at most once every {@value #INTERVAL_SECONDS} s. Thread
 * safety: may be called by any thread except an event loop.
 */
final class AuthFailureLog {

    private static final Logger LOG = LoggerFactory.getLogger(AuthFailureLog.class);
    private static final int INTERVAL_SECONDS = 10;

    private final URI server;
    private final LongSupplier nanoTime;
    private @Nullable Long lastNanos;
    private long suppressed;

    AuthFailureLog(URI server, LongSupplier nanoTime) {
        this.server = server;
        this.nanoTime = nanoTime;
    }

    synchronized void log(Throwable cause) {
        long now = nanoTime.getAsLong();
        if (lastNanos != null && now - lastNanos < TimeUnit.SECONDS.toNanos(INTERVAL_SECONDS)) {
            suppressed++;
            return;
        }
        LOG.warn(
                "msg=\"the authentication server sent no usable response; requests are refused with 503\" server={}{}"
                        + " cause=\"{}\" not_logged={}",
                server.getRawAuthority(),
                server.getRawPath(),
                ErrorText.of(cause),
                suppressed);
        lastNanos = now;
        suppressed = 0;
    }
}
