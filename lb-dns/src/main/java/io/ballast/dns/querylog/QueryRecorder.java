package io.ballast.dns.querylog;

import io.ballast.dns.wire.Query;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Records the answered queries of one thread. Queries without room in the ring are counted instead.
 *
 * <p>Thread safety: {@link #begins}, {@link #answered} and {@link #answeredLate} are confined to one thread, the rest
 * to the log's. Cost: one field read while nothing is logged; otherwise a clock read and a copy of about 80 bytes, and
 * of both messages for dnstap. Takes no lock; allocates its rings at first use, and nothing afterwards.
 */
public final class QueryRecorder {

    private static final int CODE_MASK = 0x0f;

    private final QueryLog log;
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong droppedTaps = new AtomicLong();
    private volatile @Nullable QueryLogRing entries;
    private volatile @Nullable DnstapRing taps;
    private @Nullable RecordingPolicy recording;
    private int passed;

    QueryRecorder(QueryLog log) {
        this.log = log;
    }

    /** Whether the current query may be logged. */
    public boolean begins() {
        RecordingPolicy now = log.recording();
        recording = now;
        return now != null;
    }

    /**
     * Records the answer to the current query, after {@link #begins}.
     *
     * @param arrivedNanos time of {@link System#nanoTime()} at which the query was read
     * @param query parsed query with a question
     * @param client address bytes
     * @param port 0 if it is not known
     */
    public void answered(
            long arrivedNanos,
            Query query,
            byte[] client,
            int clientBytes,
            int port,
            SocketProtocol protocol,
            Decision decision,
            byte[] response,
            int responseBytes) {
        RecordingPolicy now = recording;
        if (now != null) {
            record(now, arrivedNanos, query, client, clientBytes, port, protocol, decision, response, responseBytes);
        }
    }

    /** Records the answer to a deferred query. */
    public void answeredLate(
            long arrivedNanos,
            Query query,
            byte[] client,
            int clientBytes,
            int port,
            SocketProtocol protocol,
            Decision decision,
            byte[] response,
            int responseBytes) {
        RecordingPolicy now = log.recording();
        if (now != null) {
            record(now, arrivedNanos, query, client, clientBytes, port, protocol, decision, response, responseBytes);
        }
    }

    private void record(
            RecordingPolicy now,
            long arrivedNanos,
            Query query,
            byte[] client,
            int clientBytes,
            int port,
            SocketProtocol protocol,
            Decision decision,
            byte[] response,
            int responseBytes) {
        boolean logs = now.logs(decision) && isSampled(now);
        boolean taps = now.taps(decision);
        if (!logs && !taps) {
            return;
        }
        long answeredNanos = log.nanoTime().getAsLong();
        if (logs) {
            QueryLogRing ring = entryRing();
            int rcode = response[3] & CODE_MASK;
            long took = answeredNanos - arrivedNanos;
            if (!ring.offer(arrivedNanos, took, decision, protocol, client, clientBytes, query, rcode, responseBytes)) {
                count(dropped);
            }
            hurryIf(ring.isHalfFull());
        }
        if (taps) {
            DnstapRing ring = tapRing();
            if (!ring.offer(
                    arrivedNanos,
                    answeredNanos,
                    decision,
                    protocol,
                    client,
                    clientBytes,
                    port,
                    query,
                    response,
                    responseBytes)) {
                count(droppedTaps);
            }
            hurryIf(ring.isHalfFull());
        }
    }

    private boolean isSampled(RecordingPolicy now) {
        if (++passed >= now.sample()) {
            passed = 0;
            return true;
        }
        return false;
    }

    private void hurryIf(boolean late) {
        if (late) {
            log.hurry();
        }
    }

    /** Increments a counter that only this thread writes. */
    private static void count(AtomicLong counter) {
        counter.lazySet(counter.get() + 1);
    }

    private QueryLogRing entryRing() {
        QueryLogRing present = entries;
        if (present == null) {
            present = new QueryLogRing();
            entries = present;
        }
        return present;
    }

    private DnstapRing tapRing() {
        DnstapRing present = taps;
        if (present == null) {
            present = new DnstapRing();
            taps = present;
        }
        return present;
    }

    /** The ring of log entries; null before the first one. */
    @Nullable QueryLogRing entries() {
        return entries;
    }

    /** The ring of dnstap messages; null before the first one. */
    @Nullable DnstapRing taps() {
        return taps;
    }

    /** The number of queries without room. */
    long dropped() {
        return dropped.get();
    }

    /** The number of message pairs without room. */
    long droppedTaps() {
        return droppedTaps.get();
    }
}
