package io.ballast.dns.answer.data;

import io.ballast.dns.dnssec.CanonicalRrset;
import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.dnssec.SignedRrset;
import io.ballast.dns.wire.Wire;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Address records of one name in wire format, stored as a ring: the list of records is stored twice in a row.
 * The owner is a compression pointer to the question's name, or to the target of an alias.
 */
public final class AddressRecords {

    private final AddressFamily family;
    private final List<byte[]> addresses;
    private final int ttlSeconds;
    private final byte[] ring;
    private final int count;
    private final int recordBytes;

    /** @param addresses distinct addresses of {@code family} */
    public AddressRecords(AddressFamily family, List<InetAddress> addresses, int ttlSeconds) {
        this.family = family;
        this.addresses = addresses.stream().map(InetAddress::getAddress).toList();
        this.ttlSeconds = ttlSeconds;
        this.count = addresses.size();
        this.recordBytes = recordBytes(family);
        this.ring = new byte[2 * count * recordBytes];
        int at = 0;
        for (InetAddress address : addresses) {
            Wire.putRecord(ring, at, Wire.QUESTION_NAME, family.type(), ttlSeconds, family.addressBytes());
            System.arraycopy(address.getAddress(), 0, ring, at + Answer.FIXED_BYTES, family.addressBytes());
            at += recordBytes;
        }
        System.arraycopy(ring, 0, ring, at, at);
    }

    /** The size of one record in bytes. */
    public static int recordBytes(AddressFamily family) {
        return Answer.FIXED_BYTES + family.addressBytes();
    }

    int count() {
        return count;
    }

    int recordBytes() {
        return recordBytes;
    }

    /**
     * Signs every window of {@code records} consecutive records. The result is indexed by the first record of the
     * window. If a window contains all records, it is signed only once, because the order does not affect the
     * signature.
     *
     * @param longestTtlSeconds highest TTL of the served records
     */
    SignedRrset[] signWindows(int records, SetSigner signer, int longestTtlSeconds) {
        SignedRrset[] signed = new SignedRrset[records == count ? 1 : count];
        for (int first = 0; first < signed.length; first++) {
            List<byte[]> data = new ArrayList<>(records);
            for (int i = 0; i < records; i++) {
                data.add(addresses.get((first + i) % count));
            }
            int ttl = Math.max(ttlSeconds, longestTtlSeconds);
            signed[first] = signer.sign(CanonicalRrset.of(family.type(), ttl, ttlSeconds, data));
        }
        return signed;
    }

    /**
     * Returns the index, in the result of {@link #signWindows}, of the window that starts at the record {@code
     * first}.
     */
    int window(int first, int records) {
        return records == count ? 0 : first;
    }

    /**
     * Copies up to {@link #count} records with this owner, starting at record {@code first} and wrapping around.
     */
    void copy(int first, int records, byte[] out, int at, int owner) {
        System.arraycopy(ring, first * recordBytes, out, at, records * recordBytes);
        if (owner != Wire.QUESTION_NAME) {
            for (int i = 0; i < records; i++) {
                Wire.putU16(out, at + i * recordBytes, owner);
            }
        }
    }
}
