package io.ballast.cluster.mesh;

import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs failed connections of one kind, at most one a minute. Used by the thread of the mesh. */
final class RefusalLog {

    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
    private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String kind;
    private final LongSupplier nanoTime;
    private @Nullable Long loggedNanos;
    private long suppressed;

    /** @param kind the kind of failure, as a word for the log line */
    RefusalLog(String kind, LongSupplier nanoTime) {
        this.kind = kind;
        this.nanoTime = nanoTime;
    }

    /** @param peer the other end of the connection; null if it is closed already */
    void log(@Nullable SocketAddress peer, @Nullable String reason) {
        long now = nanoTime.getAsLong();
        if (loggedNanos != null && now - loggedNanos < PAUSE_NANOS) {
            suppressed++;
            return;
        }
        LOG.warn("cluster={} address={} reason=\"{}\" not_logged={}", kind, peer, reason, suppressed);
        loggedNanos = now;
        suppressed = 0;
    }
}
