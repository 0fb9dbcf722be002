package io.ballast.dns.querylog;

import io.ballast.core.ErrorText;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs a recurring failure, at most once a minute. Confined to one thread. */
final class FailureReport {

    private static final Logger LOG = LoggerFactory.getLogger(FailureReport.class);
    private static final long MIN_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String message;
    private boolean isReported;
    private long reportedNanos;

    /** @param message description of the failure */
    FailureReport(String message) {
        this.message = message;
    }

    void report(Exception failure, long dropped) {
        long now = System.nanoTime();
        if (!isReported || now - reportedNanos >= MIN_INTERVAL_NANOS) {
            isReported = true;
            reportedNanos = now;
            LOG.warn("msg=\"{}\" dropped={} reason=\"{}\"", message, dropped, ErrorText.of(failure));
        }
    }
}
