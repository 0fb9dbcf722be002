package io.ballast.dns.wire;

/**
 * The OPT record of a query (<a href="https://datatracker.ietf.org/doc/html/rfc6891">RFC 6891</a>), if it has one.
 *
 * <p>Thread safety: confined to one thread, which uses it for one query after the other.
 */
public final class Edns {

    /** What a client without EDNS takes over UDP, and the least that one with EDNS is believed to take. */
    public static final int MIN_PAYLOAD_BYTES = 512;

    /**
     * The largest response over UDP, also told to clients: it fits into the smallest IPv6 packet, so it is not
     * fragmented (<a href="https://datatracker.ietf.org/doc/html/rfc9715">RFC 9715</a>).
     */
    public static final int MAX_PAYLOAD_BYTES = 1232;

    /** Bytes of an OPT record without options. */
    public static final int BARE_OPT_BYTES = 11;

    private static final int DNSSEC_OK = 0x8000;
    private static final int COMPACT_OK = 0x4000;
    private static final int FIXED_BYTES = 10;

    private boolean present;
    private int payload;
    private int version;
    private boolean dnssecOk;
    private boolean compactOk;

    void clear() {
        present = false;
        payload = MIN_PAYLOAD_BYTES;
        version = 0;
        dnssecOk = false;
        compactOk = false;
    }

    /**
     * Takes in an OPT record whose fixed fields, behind the root's name, start at {@code at}.
     *
     * @return whether it is the first one and its options are whole
     */
    boolean read(byte[] message, int at, int dataLength) {
        if (present) {
            return false;
        }
        present = true;
        payload = Math.max(Wire.u16(message, at + 2), MIN_PAYLOAD_BYTES);
        version = Wire.u8(message, at + 5);
        dnssecOk = (Wire.u16(message, at + 6) & DNSSEC_OK) != 0;
        compactOk = (Wire.u16(message, at + 6) & COMPACT_OK) != 0;
        return optionsAreWhole(message, at + FIXED_BYTES, at + FIXED_BYTES + dataLength);
    }

    /** Options that nobody here knows are ignored, but their lengths must add up. */
    private static boolean optionsAreWhole(byte[] message, int start, int end) {
        int at = start;
        while (at + 4 <= end) {
            at += 4 + Wire.u16(message, at + 2);
        }
        return at == end;
    }

    public boolean isPresent() {
        return present;
    }

    public int version() {
        return version;
    }

    /** The largest response that the client takes over UDP, {@value #MIN_PAYLOAD_BYTES} or more. */
    public int payload() {
        return payload;
    }

    public boolean isDnssecOk() {
        return dnssecOk;
    }

    public boolean isCompactOk() {
        return compactOk;
    }

    /** Writes our own OPT record: our payload, the client's DO bit, no options. */
    int write(byte[] out, int at, int rcode) {
        out[at] = 0;
        Wire.putU16(out, at + 1, RecordType.OPT);
        Wire.putU16(out, at + 3, MAX_PAYLOAD_BYTES);
        out[at + 5] = (byte) (rcode >>> 4);
        out[at + 6] = 0;
        Wire.putU16(out, at + 7, dnssecOk ? DNSSEC_OK : 0);
        Wire.putU16(out, at + 9, 0);
        return at + BARE_OPT_BYTES;
    }
}
