package io.ballast.dns.wire;

import java.util.Arrays;

/**
 * The client subnet option of a query (<a
 * href="https://datatracker.ietf.org/doc/html/rfc7871#section-6">RFC 7871 section 6</a>).
 *
 * <p>Thread safety: confined to one thread, which uses it for one query at a time.
 */
public final class EdnsSubnet {

    private static final int FIXED_BYTES = 4;
    private static final int UNSPECIFIED = 0;
    private static final int IPV4 = 1;
    private static final int IPV6 = 2;
    private static final int IPV4_BITS = 32;
    private static final int IPV6_BITS = 128;
    private static final int IPV6_BYTES = 16;

    private final byte[] bytes = new byte[IPV6_BYTES];
    private boolean present;
    private int family;
    private int sourceBits;

    void clear() {
        present = false;
        sourceBits = 0;
    }

    /**
     * Reads the data of an option. The scope must be 0 in a query. The address must have exactly the number of
     * bytes that its prefix needs, and all bits after the prefix must be 0. Family 0 may have no address, as sent
     * by {@code dig +subnet=0}.
     *
     * @return whether the option is well-formed
     */
    boolean read(byte[] message, int at, int length) {
        if (length < FIXED_BYTES || message[at + 3] != 0) {
            return false;
        }
        family = Wire.u16(message, at);
        sourceBits = Wire.u8(message, at + 2);
        int count = addressBytes();
        boolean fits = sourceBits <= familyBits() && length == FIXED_BYTES + count;
        if (!fits || family > IPV6 || !endsWithZeros(message, at + FIXED_BYTES + count - 1)) {
            clear();
            return false;
        }
        Arrays.fill(bytes, (byte) 0);
        System.arraycopy(message, at + FIXED_BYTES, bytes, 0, count);
        present = true;
        return true;
    }

    private int familyBits() {
        return switch (family) {
            case IPV4 -> IPV4_BITS;
            case IPV6 -> IPV6_BITS;
            default -> 0;
        };
    }

    private int addressBytes() {
        return (sourceBits + 7) >>> 3;
    }

    private boolean endsWithZeros(byte[] message, int last) {
        int used = sourceBits & 7;
        return used == 0 || (message[last] & 0xff >>> used) == 0;
    }

    /** Whether the query had the option; the response then repeats it. */
    public boolean isPresent() {
        return present;
    }

    /**
     * Returns whether the option contains a network. A source prefix of 0 bits requests that no address is used.
     */
    public boolean hasAddress() {
        return present && sourceBits > 0;
    }

    /** Returns the first address of the network in {@link #length} bytes; the bits after the prefix are 0. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns the length of the address in bytes: 4 or 16, or 0 for a family that has no addresses. */
    public int length() {
        return familyBits() >>> 3;
    }

    /** Returns the source prefix length: the number of leading address bits that identify the network. */
    public int sourceBits() {
        return sourceBits;
    }

    /** Returns the length of the option in a response, in bytes. */
    int optionBytes() {
        return present ? EdnsOption.HEADER_BYTES + FIXED_BYTES + addressBytes() : 0;
    }

    /**
     * Writes the client's option with the given scope. All other fields stay unchanged.
     *
     * @param scope number of leading bits of the address for which the answer is valid
     * @return the end of the option
     */
    int write(byte[] out, int at, int scope) {
        int count = addressBytes();
        int data = EdnsOption.begin(out, at, EdnsOption.SUBNET, FIXED_BYTES + count);
        Wire.putU16(out, data, family);
        out[data + 2] = (byte) sourceBits;
        out[data + 3] = (byte) (sourceBits == 0 ? UNSPECIFIED : Math.min(scope, familyBits()));
        System.arraycopy(bytes, 0, out, data + FIXED_BYTES, count);
        return data + FIXED_BYTES + count;
    }
}
