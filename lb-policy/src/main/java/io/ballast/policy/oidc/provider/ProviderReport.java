package io.ballast.policy.oidc.provider;

import io.ballast.core.ErrorText;
import io.ballast.policy.work.PolicyEvents;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the failures of a provider: an event when it becomes unreachable and when it answers again, and at most one
 * log line every {@value #INTERVAL_SECONDS} s. Thread safety: may be called by any thread except an event loop.
 */
public final class ProviderReport {

    private static final Logger LOG = LoggerFactory.getLogger(ProviderReport.class);
    private static final int INTERVAL_SECONDS = 10;

    private final String issuer;
    private final PolicyEvents events;
    private final LongSupplier nanoTime;
    private @Nullable Long lastNanos;
    private long suppressed;
    private boolean unreachable;

    public ProviderReport(String issuer, PolicyEvents events, LongSupplier nanoTime) {
        this.issuer = issuer;
        this.events = events;
        this.nanoTime = nanoTime;
    }

    /**
     * Reports a failure.
     *
     * @param action what failed, such as {@code "cannot exchange a code"}
     * @param cause its message is logged
     */
    public synchronized void failed(String action, ProviderException cause) {
        if (cause.kind() == ProviderException.Kind.UNREACHABLE && !unreachable) {
            unreachable = true;
            events.changed("OpenID provider " + issuer, /* isProblem= */ true, "unreachable, users cannot log in");
        }
        long now = nanoTime.getAsLong();
        if (lastNanos != null && now - lastNanos < TimeUnit.SECONDS.toNanos(INTERVAL_SECONDS)) {
            suppressed++;
            return;
        }
        LOG.warn("issuer={} msg=\"{}\" reason=\"{}\" not_logged={}", issuer, action, ErrorText.of(cause), suppressed);
        lastNanos = now;
        suppressed = 0;
    }

    /** Records that the provider has answered. */
    public synchronized void answered() {
        if (unreachable) {
            unreachable = false;
            events.changed("OpenID provider " + issuer, /* isProblem= */ false, "reachable");
            LOG.info("issuer={} msg=\"the OpenID provider answers again\"", issuer);
        }
    }
}
