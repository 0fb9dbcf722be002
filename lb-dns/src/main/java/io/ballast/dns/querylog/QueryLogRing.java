package io.ballast.dns.querylog;

import io.ballast.core.log.RecordRing;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * A ring buffer that passes answered queries from one answering thread to the query log's thread. A parallel
 * array passes the object that decided each query, such as a list or a resolver. The log's thread converts
 * the object to its name.
 *
 * <p>Thread safety: only the answering thread calls {@link #offer}, only the log's thread {@link #poll}.
 * Cost: no lock, allocates nothing after construction.
 */
final class QueryLogRing {

    /** Space for about 2,500 entries with names of usual length, which a fast thread fills in 15 ms. */
    private static final int BYTES = 256 * 1024;

    /**
     * Minimum size of an entry. It limits the number of entries in the ring, so that the parallel array of the
     * lists and resolvers that decided the queries never overflows.
     */
    private static final int MIN_ENTRY_BYTES = 64;

    private static final int LONGS = 3;
    private static final int INTS = 7;
    private static final int FIXED_BYTES = LONGS * Long.BYTES + INTS * Integer.BYTES;
    private static final int MASK = BYTES / MIN_ENTRY_BYTES - 1;

    private static final Outcome[] OUTCOMES = Outcome.values();

    private final RecordRing ring = new RecordRing(BYTES);
    private final @Nullable Object[] deciders = new Object[MASK + 1];
    private final byte[] encodedName = new byte[Wire.MAX_NAME_BYTES];
    private int written;
    private int read;

    /** Whether the log's thread should be woken. Called by the answering thread. */
    boolean isHalfFull() {
        return ring.isHalfFull();
    }

    /** Adds an answered query; returns false if there is no room. */
    boolean offer(
            long arrivedNanos,
            long durationNanos,
            Decision decision,
            SocketProtocol protocol,
            byte[] client,
            int clientBytes,
            Query query,
            int rcode,
            int responseBytes) {
        QueryName name = query.name();
        int nameBytes = name.length();
        if (!ring.claim(FIXED_BYTES + clientBytes + nameBytes)) {
            return false;
        }
        ring.putLong(arrivedNanos);
        ring.putLong(durationNanos);
        ring.putLong(decision.detail());
        ring.putInt(decision.outcome().ordinal());
        ring.putInt(protocol.ordinal());
        ring.putInt(query.type());
        ring.putInt(rcode);
        ring.putInt(responseBytes);
        ring.putInt(clientBytes);
        ring.putInt(nameBytes);
        ring.putBytes(client, clientBytes);
        name.copy(nameBytes, encodedName);
        ring.putBytes(encodedName, nameBytes);
        deciders[written++ & MASK] = decision.decider();
        ring.commit();
        return true;
    }

    /** Removes the oldest query; returns false if there is none. */
    boolean poll(QueryLogEntry into) {
        if (!ring.peek()) {
            return false;
        }
        byte[] bytes = ring.bytes();
        int at = ring.offset();
        int ints = at + LONGS * Long.BYTES;
        into.arrivedNanos = RecordRing.longAt(bytes, at);
        into.durationNanos = RecordRing.longAt(bytes, at + Long.BYTES);
        into.detail = RecordRing.longAt(bytes, at + 2 * Long.BYTES);
        into.outcome = OUTCOMES[RecordRing.intAt(bytes, ints)];
        into.protocol = SocketProtocol.of(RecordRing.intAt(bytes, ints + Integer.BYTES));
        into.type = RecordRing.intAt(bytes, ints + 2 * Integer.BYTES);
        into.rcode = RecordRing.intAt(bytes, ints + 3 * Integer.BYTES);
        into.responseBytes = RecordRing.intAt(bytes, ints + 4 * Integer.BYTES);
        into.clientBytes = RecordRing.intAt(bytes, ints + 5 * Integer.BYTES);
        into.nameBytes = RecordRing.intAt(bytes, ints + 6 * Integer.BYTES);
        int data = at + FIXED_BYTES;
        System.arraycopy(bytes, data, into.client, 0, into.clientBytes);
        System.arraycopy(bytes, data + into.clientBytes, into.name, 0, into.nameBytes);
        into.decider = deciders[read & MASK];
        deciders[read++ & MASK] = null; // allow garbage collection
        ring.release();
        return true;
    }
}
