package io.ballast.dns.wire;

/**
 * Finds the OPT record of a message (<a
 * href="https://datatracker.ietf.org/doc/html/rfc6891#section-6.1.2">RFC 6891 section 6.1.2</a>). A record is
 * identified by its place: the offset of its type field, which follows its owner name.
 *
 * <p>Thread safety: stateless. Cost: linear in the records of the message; allocates nothing.
 */
public final class OptRecord {

    /** Sentinel: there is no OPT record, or the message is cut off or malformed before it. */
    public static final int NONE = -1;

    private static final int FIXED_BYTES = 10;
    private static final int EXTENDED_RCODE_AT = 4;
    private static final int DATA_LENGTH_AT = 8;
    private static final int RCODE_AT = 3;
    private static final int RCODE_MASK = 0x0f;
    private static final int RCODE_BITS = 4;

    private OptRecord() {}

    /**
     * Finds the first OPT record.
     *
     * @param message the message, whose first {@code length} bytes are scanned; at least a header
     * @param from end of the question section
     */
    public static int find(byte[] message, int length, int from) {
        int records = Wire.u16(message, 6) + Wire.u16(message, 8) + Wire.u16(message, 10);
        int next = from;
        for (int i = 0; i < records; i++) {
            int fixed = skipName(message, next, length);
            if (fixed < 0 || fixed + FIXED_BYTES > length) {
                return NONE;
            }
            next = fixed + FIXED_BYTES + Wire.u16(message, fixed + DATA_LENGTH_AT);
            if (next > length) {
                return NONE;
            }
            if (Wire.u16(message, fixed) == RecordType.OPT) {
                return fixed;
            }
        }
        return NONE;
    }

    /** Start of the options of the record. */
    public static int dataAt(int place) {
        return place + FIXED_BYTES;
    }

    /** Returns the end offset of the options in an OPT record. */
    public static int dataEnd(byte[] message, int place) {
        return dataAt(place) + Wire.u16(message, place + DATA_LENGTH_AT);
    }

    /**
     * Returns the response code of a message. The upper bits of the code come from the OPT record; they are 0 if
     * {@code place} is {@link #NONE}.
     */
    public static int rcode(byte[] message, int place) {
        int low = message[RCODE_AT] & RCODE_MASK;
        return place == NONE ? low : Wire.u8(message, place + EXTENDED_RCODE_AT) << RCODE_BITS | low;
    }

    private static int skipName(byte[] message, int start, int length) {
        int at = start;
        while (at < length) {
            int label = Wire.u8(message, at);
            if (label == 0) {
                return at + 1;
            }
            if (label >= Wire.POINTER) {
                return at + 2;
            }
            at += 1 + label;
        }
        return -1;
    }
}
