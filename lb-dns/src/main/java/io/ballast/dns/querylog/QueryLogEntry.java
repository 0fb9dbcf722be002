package io.ballast.dns.querylog;

import io.ballast.dns.wire.Wire;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/**
 * A reusable object for one answered query. Like {@link QueryLogRing}, it stores the query as bytes and
 * numbers. Confined to the log's thread.
 */
final class QueryLogEntry {

    private static final String[] TYPES = new String[256];
    private static final String[] CODES = new String[16];

    static {
        for (int i = 0; i < TYPES.length; i++) {
            TYPES[i] = Type.string(i);
        }
        for (int i = 0; i < CODES.length; i++) {
            CODES[i] = Rcode.string(i);
        }
    }

    /** Arrival time of the query, by {@link System#nanoTime()}. */
    long arrivedNanos;

    long durationNanos;
    Outcome outcome = Outcome.AUTHORITY;
    SocketProtocol protocol = SocketProtocol.UDP;
    final byte[] client = new byte[ClientAnonymizer.MAX_BYTES];
    int clientBytes;
    final byte[] name = new byte[Wire.MAX_NAME_BYTES];
    int nameBytes;
    int type;
    int rcode;
    int responseBytes;

    @Nullable Object decider;

    long detail;

    /** @param epochNanos difference between the wall clock and {@link System#nanoTime()} */
    AnsweredQuery toAnsweredQuery(long epochNanos, ClientAnonymizer anonymizer, DeciderLabeler labeler) {
        return new AnsweredQuery(
                TimeUnit.NANOSECONDS.toMillis(arrivedNanos + epochNanos),
                anonymizer.anonymizedText(client, clientBytes),
                protocol.label(),
                NameText.of(name, 0),
                type < TYPES.length ? TYPES[type] : Type.string(type),
                CODES[rcode],
                outcome,
                deciderName(labeler),
                TimeUnit.NANOSECONDS.toMicros(durationNanos),
                responseBytes);
    }

    private String deciderName(DeciderLabeler labeler) {
        if (outcome == Outcome.AUTHORITY) {
            return detail == 0 ? "" : NameText.of(name, nameBytes - (int) detail);
        }
        return decider == null ? "" : labeler.name(decider, detail);
    }
}
