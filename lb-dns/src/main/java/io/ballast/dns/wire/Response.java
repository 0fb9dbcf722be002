package io.ballast.dns.wire;

/**
 * Writes the common parts of every response: the header, the question and the OPT record. The caller copies
 * the sections between them.
 */
public final class Response {

    /** AA: the answer comes from our own zones. */
    public static final int AUTHORITATIVE = 0x04;

    /** TC: the response is truncated. */
    public static final int TRUNCATED = 0x02;

    /** RA: the server resolves names outside our zones by querying other servers. */
    public static final int RECURSION_AVAILABLE = 0x80 << Byte.SIZE;

    /** AD: all signatures of the answer have been validated. */
    public static final int AUTHENTIC_DATA = 0x20 << Byte.SIZE;

    /** CD: the client has requested to check signatures itself. */
    public static final int CHECKING_DISABLED = 0x10 << Byte.SIZE;

    private static final int RESPONSE = 0x80;
    private static final int OPCODE = 0x78;
    private static final int RECURSION_DESIRED = 0x01;

    private Response() {}

    /**
     * Copies the question unchanged and leaves space for the header before it.
     *
     * @return start of the answer section
     */
    public static int begin(Query query, byte[] out) {
        System.arraycopy(query.message(), 0, out, 0, query.questionEnd());
        return query.questionEnd();
    }

    /**
     * Writes the header. All counts except the question count are 0. The RD bit is copied only for queries,
     * because its meaning for other operations is not known.
     */
    public static void writeHeader(Query query, byte[] out, int flags, int rcode) {
        int queryFlags = query.message()[2];
        int kept = (queryFlags & OPCODE) == 0 ? queryFlags & RECURSION_DESIRED : queryFlags & OPCODE;
        out[2] = (byte) (RESPONSE | kept | (flags & 0xff));
        out[3] = (byte) ((flags >>> Byte.SIZE) | (rcode & 0x0f));
        Wire.putU16(out, 4, query.hasQuestion() ? 1 : 0);
        Wire.putU16(out, 6, 0);
        Wire.putU32(out, 8, 0);
    }

    /**
     * Writes an OPT record at {@code at} if the query had one.
     *
     * @param additional number of records in the additional section without the OPT record
     * @return the end offset of the response
     */
    public static int end(Query query, byte[] out, int at, int additional, int rcode) {
        if (!query.edns().isPresent()) {
            return at;
        }
        Wire.putU16(out, 10, additional + 1);
        return query.opt().write(out, at, rcode);
    }
}
