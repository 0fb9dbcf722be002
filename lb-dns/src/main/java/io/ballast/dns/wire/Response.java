package io.ballast.dns.wire;

/**
 * Writes what is the same in every response: the header, the question and the OPT record. Sections between them are
 * copied in by the caller.
 */
public final class Response {

    /** AA: the data is our own. */
    public static final int AUTHORITATIVE = 0x04;

    /** TC: the answer did not fit. */
    public static final int TRUNCATED = 0x02;

    /** RA: names outside our zones are asked elsewhere. */
    public static final int RECURSION_AVAILABLE = 0x80 << Byte.SIZE;

    /** AD: all signatures were checked. */
    public static final int AUTHENTIC_DATA = 0x20 << Byte.SIZE;

    /** CD: the client checks signatures itself, and said so. */
    public static final int CHECKING_DISABLED = 0x10 << Byte.SIZE;

    private static final int RESPONSE = 0x80;
    private static final int OPCODE = 0x78;
    private static final int RECURSION_DESIRED = 0x01;

    private Response() {}

    /**
     * Writes the question unchanged, after space for the header.
     *
     * @return start of the answer section
     */
    public static int begin(Query query, byte[] out) {
        System.arraycopy(query.message(), 0, out, 0, query.questionEnd());
        return query.questionEnd();
    }

    /**
     * Writes the header, with all counts but the question's 0. RD goes back with queries only: what the bit means to other
     * operations is not known here.
     */
    public static void header(Query query, byte[] out, int flags, int rcode) {
        int asked = query.message()[2];
        int kept = (asked & OPCODE) == 0 ? asked & RECURSION_DESIRED : asked & OPCODE;
        out[2] = (byte) (RESPONSE | kept | (flags & 0xff));
        out[3] = (byte) ((flags >>> Byte.SIZE) | (rcode & 0x0f));
        Wire.putU16(out, 4, query.hasQuestion() ? 1 : 0);
        Wire.putU16(out, 6, 0);
        Wire.putU32(out, 8, 0);
    }

    /**
     * Writes an OPT record at {@code at} if the query had one.
     *
     * @param additional how many records the additional section has without it
     * @return where the response ends
     */
    public static int end(Query query, byte[] out, int at, int additional, int rcode) {
        if (!query.edns().isPresent()) {
            return at;
        }
        Wire.putU16(out, 10, additional + 1);
        return query.opt().write(out, at, rcode);
    }
}
