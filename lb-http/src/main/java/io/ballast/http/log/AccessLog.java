package io.ballast.http.log;

import io.ballast.core.log.LogTarget;
import io.ballast.core.log.RecordRing;
import io.ballast.http.config.AccessLogConfig;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.ListenerProtocol;
import java.util.Locale;

/**
 * The access log of one listener, as its event loops see it.
 *
 * <p>Thread safety: {@link #offer} may be called by each event loop with its own number; {@link #lost} by anyone.
 */
public final class AccessLog {

    private final RecordRing[] rings;
    private final LineFormat format;
    private final LogTarget target;
    private final LogWriter writer;
    private volatile long lost;

    AccessLog(ListenerConfig listener, AccessLogConfig config, int shards, LogTarget target, LogWriter writer) {
        this.format = format(listener, config);
        this.target = target;
        this.writer = writer;
        this.rings = new RecordRing[shards];
        int capacity = Integer.highestOneBit(config.queueBytes());
        for (int i = 0; i < shards; i++) {
            rings[i] = new RecordRing(capacity);
        }
    }

    private static LineFormat format(ListenerConfig listener, AccessLogConfig config) {
        boolean isHttp = listener.protocol() == ListenerProtocol.HTTP;
        return switch (config.format()) {
            case JSON ->
                isHttp
                        ? new JsonLines(listener.name())
                        : new SessionJsonLines(
                                listener.name(), listener.protocol().name().toLowerCase(Locale.ROOT));
            case COMMON -> CommonLines.common();
            case COMBINED -> CommonLines.combined();
            case COMBINED_TLS -> CommonLines.combinedTls();
            case TEXT -> new SessionTextLines(listener.name());
        };
    }

    /** Queues an exchange for event loop {@code shard}; false if there is no room, and then it is not logged. */
    public boolean offer(int shard, LoggedExchange exchange) {
        RecordRing ring = rings[shard];
        boolean taken = exchange.offerTo(ring);
        if (ring.isHalfFull()) {
            writer.hurry();
        }
        return taken;
    }

    /** How many exchanges were queued but could not be written. */
    public long lost() {
        return lost;
    }

    RecordRing[] rings() {
        return rings;
    }

    LineFormat format() {
        return format;
    }

    LogTarget target() {
        return target;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // only the writer writes it
    void lose(int lines) {
        lost += lines;
    }
}
