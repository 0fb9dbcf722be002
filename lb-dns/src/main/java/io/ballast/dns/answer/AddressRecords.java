package io.ballast.dns.answer;

import io.ballast.dns.wire.Wire;
import java.net.InetAddress;
import java.util.List;

/**
 * Address records of one name in wire format, laid out twice one after the other. The owner is a pointer to the
 * question's name.
 */
public final class AddressRecords {

    private static final int OWNER_IS_QUESTION = 0xc000 | Wire.HEADER_BYTES;
    private static final int CLASS_IN = 1;
    private static final int FIXED_BYTES = 12;

    private final byte[] ring;
    private final int count;
    private final int recordBytes;

    /** @param addresses of that family, each once */
    public AddressRecords(AddressFamily family, List<InetAddress> addresses, int ttlSeconds) {
        this.count = addresses.size();
        this.recordBytes = recordBytes(family);
        this.ring = new byte[2 * count * recordBytes];
        int at = 0;
        for (InetAddress address : addresses) {
            Wire.putU16(ring, at, OWNER_IS_QUESTION);
            Wire.putU16(ring, at + 2, family.type());
            Wire.putU16(ring, at + 4, CLASS_IN);
            Wire.putU32(ring, at + 6, ttlSeconds);
            Wire.putU16(ring, at + 10, family.addressBytes());
            System.arraycopy(address.getAddress(), 0, ring, at + FIXED_BYTES, family.addressBytes());
            at += recordBytes;
        }
        System.arraycopy(ring, 0, ring, at, at);
    }

    /** How many bytes one record has. */
    public static int recordBytes(AddressFamily family) {
        return FIXED_BYTES + family.addressBytes();
    }

    int count() {
        return count;
    }

    int recordBytes() {
        return recordBytes;
    }

    /** Copies up to {@link #count} records, from the one at {@code first} on and around the end. */
    void copy(int first, int records, byte[] out, int at) {
        System.arraycopy(ring, first * recordBytes, out, at, records * recordBytes);
    }
}
