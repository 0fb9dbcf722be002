package io.ballast.dns.dnssec;

import io.ballast.core.Checks;
import io.ballast.dns.wire.Wire;
import java.security.Signature;
import java.security.SignatureException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * The records of one type that a name has, in the form in which they are signed: data in order and each once, TTL as it
 * is in the zone (<a href="https://datatracker.ietf.org/doc/html/rfc4034#section-6">RFC 4034 section 6</a>). The owner
 * is told apart, so that a wildcard's records can be signed for the name that was asked.
 *
 * <p>Thread safety: immutable.
 */
public final class CanonicalRrset {

    private static final int CLASS_IN = 1;
    private static final int FIXED_BYTES = 10;

    private final int type;
    private final int ttlSeconds;
    private final int servedTtlSeconds;
    private final byte[][] behindOwner;

    private CanonicalRrset(int type, int ttlSeconds, int servedTtlSeconds, byte[][] behindOwner) {
        this.type = type;
        this.ttlSeconds = ttlSeconds;
        this.servedTtlSeconds = servedTtlSeconds;
        this.behindOwner = behindOwner;
    }

    /** A set of records that are served with the TTL that they have; see the other. */
    public static CanonicalRrset of(int type, int ttlSeconds, Collection<byte[]> data) {
        return of(type, ttlSeconds, ttlSeconds, data);
    }

    /**
     * A set of records. A change of the TTL with which they are served needs no new signature.
     *
     * @param ttlSeconds the longest with which they are ever served: it is signed
     * @param servedTtlSeconds with which they are served now; at most {@code ttlSeconds}
     * @param data of each, with the names in it uncompressed, and in lower case where RFC 4034 section 6.2 says so; at
     *     least one
     */
    public static CanonicalRrset of(int type, int ttlSeconds, int servedTtlSeconds, Collection<byte[]> data) {
        Checks.between(servedTtlSeconds, 0, ttlSeconds, "servedTtlSeconds");
        Checks.that(!data.isEmpty(), "data", data, "at least one record");
        List<byte[]> sorted = data.stream().sorted(Arrays::compareUnsigned).toList();
        byte[][] records = new byte[sorted.size()][];
        int count = 0;
        for (byte[] record : sorted) {
            byte[] behindOwner = behindOwner(type, ttlSeconds, record);
            if (count == 0 || !Arrays.equals(records[count - 1], behindOwner)) {
                records[count++] = behindOwner;
            }
        }
        return new CanonicalRrset(type, ttlSeconds, servedTtlSeconds, Arrays.copyOf(records, count));
    }

    private static byte[] behindOwner(int type, int ttlSeconds, byte[] data) {
        byte[] bytes = new byte[FIXED_BYTES + data.length];
        Wire.putU16(bytes, 0, type);
        Wire.putU16(bytes, 2, CLASS_IN);
        Wire.putU32(bytes, 4, ttlSeconds);
        Wire.putU16(bytes, 8, data.length);
        System.arraycopy(data, 0, bytes, FIXED_BYTES, data.length);
        return bytes;
    }

    public int type() {
        return type;
    }

    /** The longest TTL with which the records are served. */
    public int ttlSeconds() {
        return ttlSeconds;
    }

    /** The TTL of the records and of their signature. */
    public int servedTtlSeconds() {
        return servedTtlSeconds;
    }

    /** Hands the records over, each under the given owner. */
    void feed(Signature signature, byte[] owner, int ownerLength) throws SignatureException {
        for (byte[] record : behindOwner) {
            signature.update(owner, 0, ownerLength);
            signature.update(record, 0, record.length);
        }
    }

    /** The records, whole but for their owners, one after the other. */
    byte[][] behindOwner() {
        return behindOwner;
    }
}
