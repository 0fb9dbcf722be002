package io.ballast.dns.wire;

import java.util.Arrays;

/**
 * The EDNS option that sends a client subnet to an upstream and returns the scope of the answer (<a
 * href="https://datatracker.ietf.org/doc/html/rfc7871#section-6">RFC 7871 section 6</a>).
 *
 * <p>Thread safety: stateless. Cost: allocates nothing.
 */
public final class SubnetOption {

    public static final int IPV4 = 1;
    public static final int IPV6 = 2;

    /** Result for an option that does not match the query; the response must not be used. */
    public static final int MISMATCH = -1;

    private static final int FIXED_BYTES = 4;
    private static final int SOURCE_AT = 2;
    private static final int SCOPE_AT = 3;
    private static final int IPV4_AT = 96;

    private SubnetOption() {}

    /** Returns the length of the option in bytes for a prefix of {@code bits} bits. */
    public static int bytes(int bits) {
        return EdnsOption.HEADER_BYTES + FIXED_BYTES + ((bits + 7) >>> 3);
    }

    /**
     * Writes the option.
     *
     * @param family {@link #IPV4} or {@link #IPV6}
     * @param high the upper half of the network's first address, as in {@link io.ballast.core.net.IpAddress}
     * @param low the lower half
     * @return the end of the option
     */
    public static int write(byte[] out, int at, int family, int bits, long high, long low) {
        int count = (bits + 7) >>> 3;
        int data = EdnsOption.begin(out, at, EdnsOption.SUBNET, FIXED_BYTES + count);
        Wire.putU16(out, data, family);
        out[data + SOURCE_AT] = (byte) bits;
        out[data + SCOPE_AT] = 0;
        int first = family == IPV4 ? IPV4_AT : 0;
        for (int i = 0; i < count; i++) {
            int shift = first + 8 * i;
            out[data + FIXED_BYTES + i] =
                    (byte) (shift < Long.SIZE ? high >>> (56 - shift) : low >>> (56 - (shift - Long.SIZE)));
        }
        return data + FIXED_BYTES + count;
    }

    /**
     * Returns the scope in a response: the number of leading bits of the network for which the answer is valid; 0
     * without an option, because the answer is then valid for all clients (RFC 7871 section 7.3).
     *
     * @param response array whose first {@code length} bytes are the response
     * @param from the end of the question
     * @param query the query
     * @param at the offset of the option in the query
     * @return the scope, 0 to 128; {@link #MISMATCH} if the family, source prefix or address differs from the query
     *     (section 11.2)
     */
    public static int scope(byte[] response, int length, int from, byte[] query, int at) {
        int opt = OptRecord.find(response, length, from);
        return opt == OptRecord.NONE
                ? 0 // other checks detect an OPT record that is cut off or malformed
                : scopeOfOpt(response, OptRecord.dataAt(opt), OptRecord.dataEnd(response, opt), query, at);
    }

    private static int scopeOfOpt(byte[] response, int start, int end, byte[] query, int at) {
        int option = start;
        while (option + EdnsOption.HEADER_BYTES <= end) {
            int next = option + EdnsOption.HEADER_BYTES + Wire.u16(response, option + 2);
            if (next > end) {
                return MISMATCH;
            }
            if (Wire.u16(response, option) == EdnsOption.SUBNET) {
                return scopeOfOption(response, option, next, query, at);
            }
            option = next;
        }
        return 0;
    }

    /**
     * Returns the scope of the option. Returns {@link #MISMATCH} if another field differs from the query's
     * option, or the scope is too long for the address family.
     */
    private static int scopeOfOption(byte[] response, int option, int end, byte[] query, int at) {
        int fixed = EdnsOption.HEADER_BYTES + SCOPE_AT;
        int bytes = end - option;
        boolean isSame = bytes >= fixed + 1
                && at + bytes <= query.length
                && Arrays.equals(response, option, option + fixed, query, at, at + fixed)
                && Arrays.equals(response, option + fixed + 1, end, query, at + fixed + 1, at + bytes);
        if (!isSame) {
            return MISMATCH;
        }
        int scope = Wire.u8(response, option + fixed);
        int max = Wire.u16(response, option + EdnsOption.HEADER_BYTES) == IPV4 ? 32 : 128;
        return scope <= max ? scope : MISMATCH;
    }
}
