package io.ballast.dns.dnssec;

import io.ballast.core.Checks;
import io.ballast.dns.wire.Wire;
import java.security.Signature;
import java.security.SignatureException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * A record set in the canonical form that is signed: sorted distinct data, and the TTL of the zone (<a
 * href="https://datatracker.ietf.org/doc/html/rfc4034#section-6">RFC 4034 section 6</a>). The owner is passed
 * separately, so that a wildcard's records can be signed for the query name.
 *
 * <p>Thread safety: immutable.
 */
public final class CanonicalRrset {

    private static final int CLASS_IN = 1;
    private static final int FIXED_BYTES = 10;

    private final int type;
    private final int ttlSeconds;
    private final int servedTtlSeconds;
    private final byte[][] canonicalForm;

    private CanonicalRrset(int type, int ttlSeconds, int servedTtlSeconds, byte[][] behindOwner) {
        this.type = type;
        this.ttlSeconds = ttlSeconds;
        this.servedTtlSeconds = servedTtlSeconds;
        this.canonicalForm = behindOwner;
    }

    /**
     * Returns a record set whose served TTL equals its signed TTL; see {@link #of(int, int, int, Collection)}.
     */
    public static CanonicalRrset of(int type, int ttlSeconds, Collection<byte[]> data) {
        return of(type, ttlSeconds, ttlSeconds, data);
    }

    /**
     * Returns a record set. A change of the served TTL needs no new signature.
     *
     * @param ttlSeconds highest TTL of the served records; it is signed
     * @param servedTtlSeconds current TTL; at most {@code ttlSeconds}
     * @param data data of at least one record, with uncompressed names, in lower case as RFC 4034 section 6.2
     *     requires
     */
    public static CanonicalRrset of(int type, int ttlSeconds, int servedTtlSeconds, Collection<byte[]> data) {
        Checks.between(servedTtlSeconds, 0, ttlSeconds, "servedTtlSeconds");
        Checks.that(!data.isEmpty(), "data", data, "at least one record");
        List<byte[]> sorted = data.stream().sorted(Arrays::compareUnsigned).toList();
        byte[][] records = new byte[sorted.size()][];
        int count = 0;
        for (byte[] record : sorted) {
            byte[] behindOwner = canonicalForm(type, ttlSeconds, record);
            if (count == 0 || !Arrays.equals(records[count - 1], behindOwner)) {
                records[count++] = behindOwner;
            }
        }
        return new CanonicalRrset(type, ttlSeconds, servedTtlSeconds, Arrays.copyOf(records, count));
    }

    private static byte[] canonicalForm(int type, int ttlSeconds, byte[] data) {
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

    /** The highest TTL of the served records. */
    public int ttlSeconds() {
        return ttlSeconds;
    }

    /** The current TTL of the records and of their signature. */
    public int servedTtlSeconds() {
        return servedTtlSeconds;
    }

    /** Feeds the records into the signature, each with the given owner. */
    void feed(Signature signature, byte[] owner, int ownerLength) throws SignatureException {
        for (byte[] record : canonicalForm) {
            signature.update(owner, 0, ownerLength);
            signature.update(record, 0, record.length);
        }
    }

    /** Returns the canonical form of each record without its owner name. */
    byte[][] canonicalForm() {
        return canonicalForm;
    }
}
