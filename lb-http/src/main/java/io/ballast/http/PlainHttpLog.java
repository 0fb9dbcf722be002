package io.ballast.http;

import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs clients that send plain HTTP to a TLS listener, at most once a minute. Each message includes the number of
 * clients that were not logged since the previous message. Event-loop confined.
 */
final class PlainHttpLog {

    private static final Logger LOG = LoggerFactory.getLogger(PlainHttpLog.class);
    private static final long REPORT_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanoTime;
    private boolean reported;
    private long lastReportNanos;
    private long suppressed;

    PlainHttpLog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void logClient(String listener, SocketAddress client) {
        long now = nanoTime.getAsLong();
        if (reported && now - lastReportNanos < REPORT_NANOS) {
            suppressed++;
            return;
        }
        LOG.info(
                "msg=\"a client sent plain HTTP to a listener with TLS\" listener={} client={} not_logged={}",
                listener,
                client,
                suppressed);
        reported = true;
        lastReportNanos = now;
        suppressed = 0;
    }
}
