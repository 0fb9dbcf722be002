package io.ballast.http.log;

import io.ballast.core.log.LogTarget;
import io.ballast.core.log.RecordRing;
import io.ballast.core.log.SyslogTarget;
import io.ballast.http.config.AccessLogConfig;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.ListenerProtocol;
import java.util.Locale;

/**
 * The access log of one listener. Event loops put records of their exchanges into its queues.
 *
 * <p>Thread safety: each event loop may call {@link #offer} with its own index; any thread may call {@link #lost}.
 */
public final class AccessLog {

    private final RecordRing[] rings;
    private final LogFormat format;
    private final LogTarget target;
    private final LogWriter writer;
    private volatile long lost;

    AccessLog(ListenerConfig listener, AccessLogConfig config, int shards, LogTarget target, LogWriter writer) {
        LogFormat lines = format(listener, config);
        this.format = config.syslog().isPresent() && target instanceof SyslogTarget syslog
                ? new SyslogFormat(config.syslog().get(), lines, syslog)
                : lines;
        this.target = target;
        this.writer = writer;
        this.rings = new RecordRing[shards];
        int capacity = Integer.highestOneBit(config.queueBytes());
        for (int i = 0; i < shards; i++) {
            rings[i] = new RecordRing(capacity);
        }
    }

    private static LogFormat format(ListenerConfig listener, AccessLogConfig config) {
        boolean isHttp = listener.protocol() == ListenerProtocol.HTTP;
        return switch (config.format()) {
            case JSON ->
                isHttp
                        ? new JsonLogFormat(listener.name())
                        : new SessionJsonLogFormat(
                                listener.name(), listener.protocol().name().toLowerCase(Locale.ROOT));
            case COMMON -> CommonLogFormat.common();
            case COMBINED -> CommonLogFormat.combined();
            case COMBINED_TLS -> CommonLogFormat.combinedTls();
            case TEXT -> new SessionTextLogFormat(listener.name());
        };
    }

    /** Queues an exchange from event loop {@code shard}; if the queue is full, returns false and drops it. */
    public boolean offer(int shard, AccessLogEntry exchange) {
        RecordRing ring = rings[shard];
        boolean taken = exchange.offerTo(ring);
        if (ring.isHalfFull()) {
            writer.wakeUp();
        }
        return taken;
    }

    /** The number of exchanges that were queued but could not be written. */
    public long lost() {
        return lost;
    }

    RecordRing[] rings() {
        return rings;
    }

    LogFormat format() {
        return format;
    }

    LogTarget target() {
        return target;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // only the writer thread modifies it
    void addLost(int lines) {
        lost += lines;
    }
}
