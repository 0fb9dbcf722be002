package io.ballast.dns.forward.cache;

import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Wire;

/**
 * The {@code ipv4hint} and {@code ipv6hint} parameters of an SVCB or HTTPS record (<a
 * href="https://datatracker.ietf.org/doc/html/rfc9460#section-2.2">RFC 9460 section 2.2</a>). Other
 * parameters are not kept.
 *
 * <p>Thread safety: confined to one thread, which uses it for one record at a time. It allocates nothing.
 */
final class ServiceParams {

    private static final int IPV4_HINT = 4;
    private static final int IPV6_HINT = 6;
    private static final int HEADER_BYTES = 4;
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;

    private boolean isValid;
    private int ipv4Offset;
    private int ipv4Count;
    private int ipv6Offset;
    private int ipv6Count;

    /** Reads the parameters between two offsets of a message. */
    ServiceParams read(byte[] message, int start, int end) {
        ipv4Count = 0;
        ipv6Count = 0;
        int at = start;
        int previousKey = -1;
        isValid = true;
        while (isValid && at < end) {
            int value = at + HEADER_BYTES;
            int key = value > end ? previousKey : Wire.u16(message, at);
            int length = value > end ? 0 : Wire.u16(message, at + 2);
            isValid = key > previousKey && value + length <= end && parseValue(key, value, length);
            previousKey = key;
            at = value + length;
        }
        return this;
    }

    private boolean parseValue(int key, int at, int length) {
        if (key == IPV4_HINT) {
            ipv4Offset = at;
            ipv4Count = length / IPV4_BYTES;
            return length > 0 && length % IPV4_BYTES == 0;
        }
        if (key == IPV6_HINT) {
            ipv6Offset = at;
            ipv6Count = length / IPV6_BYTES;
            return length > 0 && length % IPV6_BYTES == 0;
        }
        return true;
    }

    /**
     * Whether the parameters are well-formed: keys are in ascending order, each value fits into the record, and
     * hints contain whole addresses.
     */
    boolean isValid() {
        return isValid;
    }

    /** The number of addresses. */
    int addressCount() {
        return ipv4Count + ipv6Count;
    }

    /** Returns the record type of an address: A or AAAA. */
    int type(int i) {
        return i < ipv4Count ? RecordType.A : RecordType.AAAA;
    }

    /** Offset of an address in the message. */
    int offset(int i) {
        return i < ipv4Count ? ipv4Offset + i * IPV4_BYTES : ipv6Offset + (i - ipv4Count) * IPV6_BYTES;
    }

    /** Length of an address in bytes. */
    int length(int i) {
        return i < ipv4Count ? IPV4_BYTES : IPV6_BYTES;
    }
}
