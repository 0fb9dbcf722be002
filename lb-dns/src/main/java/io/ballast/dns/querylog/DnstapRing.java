package io.ballast.dns.querylog;

import io.ballast.core.log.RecordRing;
import io.ballast.dns.querylog.dnstap.DnstapExchange;
import io.ballast.dns.wire.Query;

/**
 * A ring of whole messages from an answering thread to the file thread.
 *
 * <p>Thread safety: only the answering thread calls {@link #offer}, only the file thread {@link #poll}. Cost: no lock,
 * allocates nothing after construction.
 */
final class DnstapRing {

    /** Size of the ring: more than twice the longest message, so that an empty ring has room for any message. */
    private static final int CAPACITY_BYTES = 1024 * 1024;

    private static final int LONG_COUNT = 2;
    private static final int INT_COUNT = 7;
    private static final int FIXED_BYTES = LONG_COUNT * Long.BYTES + INT_COUNT * Integer.BYTES;

    private final RecordRing ring = new RecordRing(CAPACITY_BYTES);

    boolean isHalfFull() {
        return ring.isHalfFull();
    }

    /** Adds a query and its response; returns false if there is no room. */
    boolean offer(
            long arrivedNanos,
            long answeredNanos,
            Decision decision,
            SocketProtocol protocol,
            byte[] client,
            int clientBytes,
            int port,
            Query query,
            byte[] response,
            int responseBytes) {
        int queryBytes = query.length();
        if (!ring.claim(FIXED_BYTES + clientBytes + queryBytes + responseBytes)) {
            return false;
        }
        ring.putLong(arrivedNanos);
        ring.putLong(answeredNanos);
        ring.putInt(decision.isForwarded() ? 1 : 0);
        ring.putInt(decision.outcome() == Outcome.AUTHORITY ? (int) decision.detail() : 0);
        ring.putInt(protocol.number());
        ring.putInt(port);
        ring.putInt(clientBytes);
        ring.putInt(queryBytes);
        ring.putInt(responseBytes);
        ring.putBytes(client, clientBytes);
        ring.putBytes(query.message(), queryBytes);
        ring.putBytes(response, responseBytes);
        ring.commit();
        return true;
    }

    /**
     * Removes the oldest query and its response; returns false if there is none.
     *
     * @param epochNanos difference between the wall clock and {@link System#nanoTime()}
     */
    boolean poll(long epochNanos, DnstapExchange into) {
        if (!ring.peek()) {
            return false;
        }
        byte[] bytes = ring.bytes();
        int at = ring.offset();
        int ints = at + LONG_COUNT * Long.BYTES;
        into.begin(
                RecordRing.longAt(bytes, at) + epochNanos,
                RecordRing.longAt(bytes, at + Long.BYTES) + epochNanos,
                /* isForwarded= */ RecordRing.intAt(bytes, ints) != 0,
                RecordRing.intAt(bytes, ints + 2 * Integer.BYTES),
                RecordRing.intAt(bytes, ints + 3 * Integer.BYTES));
        int clientBytes = RecordRing.intAt(bytes, ints + 4 * Integer.BYTES);
        int queryBytes = RecordRing.intAt(bytes, ints + 5 * Integer.BYTES);
        int responseBytes = RecordRing.intAt(bytes, ints + 6 * Integer.BYTES);
        int data = at + FIXED_BYTES;
        into.client(bytes, data, clientBytes);
        into.query(bytes, data + clientBytes, queryBytes);
        into.response(bytes, data + clientBytes + queryBytes, responseBytes);
        into.setZone(RecordRing.intAt(bytes, ints + Integer.BYTES));
        ring.release();
        return true;
    }
}
