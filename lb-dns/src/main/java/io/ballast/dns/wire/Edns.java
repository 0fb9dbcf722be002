package io.ballast.dns.wire;

/**
 * The OPT record of a query (<a href="https://datatracker.ietf.org/doc/html/rfc6891">RFC 6891</a>), if it has
 * one, with its supported options. If an option occurs more than once, the first one counts; unknown options
 * are ignored.
 *
 * <p>Thread safety: confined to one thread, which uses it for one query at a time.
 */
public final class Edns {

    /** The payload size of clients without EDNS, and the minimum for clients with EDNS. */
    public static final int MIN_PAYLOAD_BYTES = 512;

    /**
     * The maximum size of a response over UDP, which is also announced to clients. Such a response fits into the
     * smallest IPv6 packet, so it is not fragmented (<a href="https://datatracker.ietf.org/doc/html/rfc9715">RFC
     * 9715</a>).
     */
    public static final int MAX_PAYLOAD_BYTES = 1232;

    /** Bytes of an OPT record without options. */
    public static final int BARE_OPT_BYTES = 11;

    /** Bytes of a cookie that has only the client's part. */
    public static final int CLIENT_COOKIE_BYTES = 8;

    private static final int SHORTEST_COOKIE_BYTES = 16;
    private static final int LONGEST_COOKIE_BYTES = 40;
    private static final int DNSSEC_OK = 0x8000;
    private static final int COMPACT_OK = 0x4000;
    private static final int FIXED_BYTES = 10;

    private final EdnsSubnet subnet = new EdnsSubnet();
    private boolean present;
    private int payload;
    private int version;
    private int flags;
    private int optionsStart;
    private int optionsEnd;
    private int cookieOffset;
    private int cookieLength;
    private boolean nsidRequested;
    private boolean keepaliveRequested;
    private boolean padded;

    void clear() {
        present = false;
        payload = MIN_PAYLOAD_BYTES;
        version = 0;
        flags = 0;
        clearOptions();
    }

    private void clearOptions() {
        optionsStart = 0;
        optionsEnd = 0;
        subnet.clear();
        cookieLength = 0;
        nsidRequested = false;
        keepaliveRequested = false;
        padded = false;
    }

    /**
     * Reads an OPT record whose fixed fields, after the root name, start at {@code at}.
     *
     * @return whether the record is the first one and its options are well-formed. Options of versions other than
     *     0 are ignored, since their format is unknown
     */
    boolean read(byte[] message, int at, int dataLength) {
        if (present) {
            return false;
        }
        present = true;
        payload = Math.max(Wire.u16(message, at + 2), MIN_PAYLOAD_BYTES);
        version = Wire.u8(message, at + 5);
        flags = Wire.u16(message, at + 6) & (DNSSEC_OK | COMPACT_OK);
        int options = at + FIXED_BYTES;
        if (version != 0) {
            return true;
        }
        optionsStart = options;
        optionsEnd = options + dataLength;
        if (readOptions(message, optionsStart, optionsEnd)) {
            return true;
        }
        clearOptions();
        return false;
    }

    private boolean readOptions(byte[] message, int start, int end) {
        int at = start;
        while (at < end) {
            int data = at + EdnsOption.HEADER_BYTES;
            if (data > end) {
                return false;
            }
            int length = Wire.u16(message, at + 2);
            if (data + length > end || !readOption(message, Wire.u16(message, at), data, length)) {
                return false;
            }
            at = data + length;
        }
        return true;
    }

    private boolean readOption(byte[] message, int code, int data, int length) {
        switch (code) {
            case EdnsOption.SUBNET -> {
                return subnet.isPresent() || subnet.read(message, data, length);
            }
            case EdnsOption.COOKIE -> {
                return cookieLength > 0 || readCookie(data, length);
            }
            case EdnsOption.NSID -> nsidRequested = true;
            case EdnsOption.KEEPALIVE -> keepaliveRequested = true;
            case EdnsOption.PADDING -> padded = true;
            default -> {}
        }
        return true;
    }

    private boolean readCookie(int data, int length) {
        cookieOffset = data;
        cookieLength = length;
        return length == CLIENT_COOKIE_BYTES || (length >= SHORTEST_COOKIE_BYTES && length <= LONGEST_COOKIE_BYTES);
    }

    public boolean isPresent() {
        return present;
    }

    public int version() {
        return version;
    }

    /** Returns the largest response that the client accepts over UDP, {@value #MIN_PAYLOAD_BYTES} or more. */
    public int payload() {
        return payload;
    }

    public boolean isDnssecOk() {
        return (flags & DNSSEC_OK) != 0;
    }

    /**
     * Whether the client understands NXDOMAIN in a compact denial (<a
     * href="https://datatracker.ietf.org/doc/html/rfc9824">RFC 9824</a>).
     */
    public boolean isCompactOk() {
        return (flags & COMPACT_OK) != 0;
    }

    /** The DO and CO bits, which the response repeats. */
    int flags() {
        return flags;
    }

    /** Offset of the first option in the message. All options are well-formed. */
    public int optionsStart() {
        return optionsStart;
    }

    /** End offset of the options in the message; {@link #optionsStart} if there are none. */
    public int optionsEnd() {
        return optionsEnd;
    }

    /** Returns the client subnet of the query. */
    public EdnsSubnet subnet() {
        return subnet;
    }

    /** Offset of the cookie in the message; undefined without a cookie. */
    public int cookieOffset() {
        return cookieOffset;
    }

    /**
     * Returns the length of the cookie in bytes: {@value #CLIENT_COOKIE_BYTES} for a client cookie only, 16 to 40
     * with a server cookie, and 0 without a cookie.
     */
    public int cookieLength() {
        return cookieLength;
    }

    public boolean isNsidRequested() {
        return nsidRequested;
    }

    boolean isKeepaliveRequested() {
        return keepaliveRequested;
    }

    boolean isPadded() {
        return padded;
    }
}
