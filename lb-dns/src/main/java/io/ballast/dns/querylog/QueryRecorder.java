package io.ballast.dns.querylog;

import io.ballast.dns.wire.Query;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Where one thread leaves what it has answered. What finds no room is not logged but counted.
 *
 * <p>Thread safety: {@link #begins}, {@link #answered} and {@link #answeredLate} belong to one thread, the rest to the log's. Cost:
 * one field read while nothing is logged; else a look at the clock and a copy of some 80 octets, and of both messages for dnstap.
 * Takes no lock; allocates its rings when it first needs them, and nothing after that.
 */
public final class QueryRecorder {

    private static final int CODE_MASK = 0x0f;

    private final QueryLog log;
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong droppedTaps = new AtomicLong();
    private volatile @Nullable EntryRing entries;
    private volatile @Nullable TapRing taps;
    private @Nullable Recording recording;
    private int passed;

    QueryRecorder(QueryLog log) {
        this.log = log;
    }

    /** Whether anything is logged of the query that is in hand now. */
    public boolean begins() {
        Recording now = log.recording();
        recording = now;
        return now != null;
    }

    /**
     * The query in hand is answered, after {@link #begins}.
     *
     * @param arrivedNanos when it was read, by the clock of {@link System#nanoTime()}
     * @param query parsed, with a question
     * @param client the address's octets
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
        Recording now = recording;
        if (now != null) {
            record(now, arrivedNanos, query, client, clientBytes, port, protocol, decision, response, responseBytes);
        }
    }

    /** Likewise one that had to wait. */
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
        Recording now = log.recording();
        if (now != null) {
            record(now, arrivedNanos, query, client, clientBytes, port, protocol, decision, response, responseBytes);
        }
    }

    private void record(
            Recording now,
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
            EntryRing ring = entryRing();
            int rcode = response[3] & CODE_MASK;
            long took = answeredNanos - arrivedNanos;
            if (!ring.offer(arrivedNanos, took, decision, protocol, client, clientBytes, query, rcode, responseBytes)) {
                count(dropped);
            }
            hurryIf(ring.isHalfFull());
        }
        if (taps) {
            TapRing ring = tapRing();
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

    private boolean isSampled(Recording now) {
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

    /** This thread alone writes it. */
    private static void count(AtomicLong counter) {
        counter.lazySet(counter.get() + 1);
    }

    private EntryRing entryRing() {
        EntryRing present = entries;
        if (present == null) {
            present = new EntryRing();
            entries = present;
        }
        return present;
    }

    private TapRing tapRing() {
        TapRing present = taps;
        if (present == null) {
            present = new TapRing();
            taps = present;
        }
        return present;
    }

    /** Null while nothing was logged. */
    @Nullable EntryRing entries() {
        return entries;
    }

    /** Null while nothing was tapped. */
    @Nullable TapRing taps() {
        return taps;
    }

    /** How many queries found no room. */
    long dropped() {
        return dropped.get();
    }

    /** How many pairs of messages found no room. */
    long droppedTaps() {
        return droppedTaps.get();
    }
}
