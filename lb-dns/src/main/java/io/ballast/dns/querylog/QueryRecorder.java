package io.ballast.dns.querylog;

import io.ballast.dns.wire.Query;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Records the answered queries of one thread. Queries that do not fit into the ring are only counted.
 *
 * <p>Thread safety: {@link #beginQuery}, {@link #recordAnswer} and {@link #recordDeferredAnswer} are confined
 * to one thread, the other methods to the log's thread. Cost: one field read while nothing is logged;
 * otherwise a clock read and a copy of about 80 bytes, and of both messages for dnstap. Takes no lock;
 * allocates its rings at first use, and nothing afterwards.
 */
public final class QueryRecorder {

    private static final int CODE_MASK = 0x0f;

    private final QueryLog log;
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong droppedTaps = new AtomicLong();
    private volatile @Nullable QueryLogRing entries;
    private volatile @Nullable DnstapRing taps;
    private @Nullable RecordingPolicy recording;
    private int queriesSinceSample;

    QueryRecorder(QueryLog log) {
        this.log = log;
    }

    /** Starts to record a query under the current policy. Returns whether the query may be logged. */
    public boolean beginQuery() {
        RecordingPolicy policy = log.recordingPolicy();
        recording = policy;
        return policy != null;
    }

    /**
     * Records the answer to the current query, after {@link #beginQuery}.
     *
     * @param arrivedNanos time of {@link System#nanoTime()} at which the query was read
     * @param query parsed query with a question
     * @param client address bytes
     * @param port source port of the client; 0 if it is not known
     */
    public void recordAnswer(
            long arrivedNanos,
            Query query,
            byte[] client,
            int clientBytes,
            int port,
            SocketProtocol protocol,
            Decision decision,
            byte[] response,
            int responseBytes) {
        RecordingPolicy policy = recording;
        if (policy != null) {
            record(policy, arrivedNanos, query, client, clientBytes, port, protocol, decision, response, responseBytes);
        }
    }

    /** Records the answer to a deferred query. */
    public void recordDeferredAnswer(
            long arrivedNanos,
            Query query,
            byte[] client,
            int clientBytes,
            int port,
            SocketProtocol protocol,
            Decision decision,
            byte[] response,
            int responseBytes) {
        RecordingPolicy policy = log.recordingPolicy();
        if (policy != null) {
            record(policy, arrivedNanos, query, client, clientBytes, port, protocol, decision, response, responseBytes);
        }
    }

    private void record(
            RecordingPolicy policy,
            long arrivedNanos,
            Query query,
            byte[] client,
            int clientBytes,
            int port,
            SocketProtocol protocol,
            Decision decision,
            byte[] response,
            int responseBytes) {
        boolean isLogged = policy.shouldLog(decision) && isSampled(policy);
        boolean isTapped = policy.shouldTap(decision);
        if (!isLogged && !isTapped) {
            return;
        }
        long answeredNanos = log.nanoTime().getAsLong();
        if (isLogged) {
            QueryLogRing ring = entryRing();
            int rcode = response[3] & CODE_MASK;
            long durationNanos = answeredNanos - arrivedNanos;
            if (!ring.offer(
                    arrivedNanos,
                    durationNanos,
                    decision,
                    protocol,
                    client,
                    clientBytes,
                    query,
                    rcode,
                    responseBytes)) {
                count(dropped);
            }
            wakeUpLogIf(ring.isHalfFull());
        }
        if (isTapped) {
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
            wakeUpLogIf(ring.isHalfFull());
        }
    }

    private boolean isSampled(RecordingPolicy policy) {
        if (++queriesSinceSample >= policy.sampleInterval()) {
            queriesSinceSample = 0;
            return true;
        }
        return false;
    }

    private void wakeUpLogIf(boolean isHalfFull) {
        if (isHalfFull) {
            log.wakeUp();
        }
    }

    /** Increments a counter that only this thread writes. */
    private static void count(AtomicLong counter) {
        counter.lazySet(counter.get() + 1);
    }

    private QueryLogRing entryRing() {
        QueryLogRing existing = entries;
        if (existing == null) {
            existing = new QueryLogRing();
            entries = existing;
        }
        return existing;
    }

    private DnstapRing tapRing() {
        DnstapRing existing = taps;
        if (existing == null) {
            existing = new DnstapRing();
            taps = existing;
        }
        return existing;
    }

    /** Returns the ring of log entries; null before the first entry. */
    @Nullable QueryLogRing entries() {
        return entries;
    }

    /** Returns the ring of dnstap messages; null before the first message. */
    @Nullable DnstapRing taps() {
        return taps;
    }

    /** Returns the number of queries that did not fit into the ring. */
    long dropped() {
        return dropped.get();
    }

    /** Returns the number of message pairs that did not fit into the ring. */
    long droppedTaps() {
        return droppedTaps.get();
    }
}
