package io.ballast.dns.wire;

/**
 * A received query, parsed in place. It keeps offsets and numbers, and one lower-case copy of the name.
 *
 * <p>Thread safety: confined to one thread, which reuses it for one query after the other. Cost: linear in the message;
 * allocates nothing and never reads outside the message, even if the message is malformed.
 */
public final class Query {

    /** How the server must handle a message. */
    public enum Verdict {
        /** The question is well-formed; the server answers it. */
        ANSWER,
        /**
         * The message has no question, only a cookie that the server must check or renew (<a
         * href="https://datatracker.ietf.org/doc/html/rfc7873#section-5.4">RFC 7873 section 5.4</a>).
         */
        COOKIE,
        /** Not a query, or too short: no response may be sent. */
        DROP,
        FORMERR,
        NOTIMP,
        BADVERS
    }

    private static final int RESPONSE_BIT = 0x80;
    private static final int OPCODE_MASK = 0x78;
    private static final int OPCODE_NOTIFY = 4 << 3;
    private static final int OPCODE_UPDATE = 5 << 3;
    private static final int RECURSION_DESIRED_BIT = 0x01;
    private static final int CHECKING_DISABLED_BIT = 0x10;
    private static final int AUTHENTIC_DATA_BIT = 0x20;
    private static final int QUESTION_FIXED_BYTES = 4;
    private static final int RECORD_FIXED_BYTES = 10;

    private final QueryName name;
    private final Edns edns = new Edns();
    private final EdnsResponse opt = new EdnsResponse(edns);
    private byte[] message = {};
    private int length;
    private int questionEnd;
    private int type;
    private int recordClass;
    private boolean controlMessage;
    private int lastRecordType;

    public Query(NameHash hash) {
        this.name = new QueryName(hash);
    }

    /**
     * Parses the first {@code length} bytes of {@code bytes}, which must not change until the response is
     * written.
     */
    public Verdict parse(byte[] bytes, int length) {
        message = bytes;
        this.length = length;
        questionEnd = Wire.HEADER_BYTES;
        controlMessage = false;
        edns.clear();
        opt.clear();
        if (length < Wire.HEADER_BYTES || (bytes[2] & RESPONSE_BIT) != 0) {
            return Verdict.DROP;
        }
        int opcode = bytes[2] & OPCODE_MASK;
        controlMessage = opcode == OPCODE_NOTIFY || opcode == OPCODE_UPDATE;
        if (opcode != 0) {
            return Verdict.NOTIMP;
        }
        int questions = Wire.u16(bytes, 4);
        if (questions == 0) {
            return parseWithoutQuestion(length);
        }
        if (questions != 1) {
            return Verdict.FORMERR;
        }
        int nameEnd = name.read(bytes, Wire.HEADER_BYTES, length);
        if (nameEnd < 0 || nameEnd + QUESTION_FIXED_BYTES > length) {
            return Verdict.FORMERR;
        }
        type = Wire.u16(bytes, nameEnd);
        recordClass = Wire.u16(bytes, nameEnd + 2);
        questionEnd = nameEnd + QUESTION_FIXED_BYTES;
        if (!readRecords(length)) {
            return Verdict.FORMERR;
        }
        if (edns.version() != 0) {
            return Verdict.BADVERS;
        }
        controlMessage =
                (recordClass == Wire.CLASS_IN && RecordType.isTransfer(type)) || lastRecordType == RecordType.TSIG;
        return Verdict.ANSWER;
    }

    private Verdict parseWithoutQuestion(int length) {
        if (!readRecords(length)) {
            return Verdict.FORMERR;
        }
        if (edns.version() != 0) {
            return Verdict.BADVERS;
        }
        return edns.cookieLength() > 0 ? Verdict.COOKIE : Verdict.FORMERR;
    }

    /** Scans the records after the question, reads the OPT record and requires the message to end there. */
    private boolean readRecords(int end) {
        int before = Wire.u16(message, 6) + Wire.u16(message, 8);
        int records = before + Wire.u16(message, 10);
        int at = questionEnd;
        lastRecordType = 0;
        for (int i = 0; i < records; i++) {
            int fixed = skipName(at, end);
            if (fixed < 0 || fixed + RECORD_FIXED_BYTES > end) {
                return false;
            }
            int dataLength = Wire.u16(message, fixed + 8);
            int next = fixed + RECORD_FIXED_BYTES + dataLength;
            if (next > end) {
                return false;
            }
            lastRecordType = i < before ? 0 : Wire.u16(message, fixed);
            if (Wire.u16(message, fixed) == RecordType.OPT) {
                boolean inPlace = i >= before && fixed == at + 1;
                if (!inPlace || !edns.read(message, fixed, dataLength)) {
                    return false;
                }
            }
            at = next;
        }
        return at == end;
    }

    /** End of the name at {@code start}; -1 if it is malformed. A pointer ends a name and is not followed. */
    private int skipName(int start, int end) {
        int limit = Math.min(end, start + Wire.MAX_NAME_BYTES);
        int at = start;
        while (at < limit) {
            int label = Wire.u8(message, at);
            if (label == 0) {
                return at + 1;
            }
            if (label >= Wire.POINTER) {
                return at + 2;
            }
            if (label > Wire.MAX_LABEL_BYTES) {
                return -1;
            }
            at += 1 + label;
        }
        return -1;
    }

    public QueryName name() {
        return name;
    }

    public Edns edns() {
        return edns;
    }

    /** Returns the content of the OPT record of the response. */
    public EdnsResponse opt() {
        return opt;
    }

    public int type() {
        return type;
    }

    public int recordClass() {
        return recordClass;
    }

    /** Whether the client requests recursion: its RD bit. */
    public boolean isRecursionDesired() {
        return (message[2] & RECURSION_DESIRED_BIT) != 0;
    }

    /** Whether the client checks signatures itself: its CD bit. */
    public boolean isCheckingDisabled() {
        return (message[3] & CHECKING_DISABLED_BIT) != 0;
    }

    /**
     * Whether the message is not a plain query: a NOTIFY, an UPDATE, a request for a zone transfer, or a message that
     * ends with a TSIG record. Only the header of a NOTIFY or an UPDATE is read.
     */
    public boolean isControlMessage() {
        return controlMessage;
    }

    /**
     * Whether the client wants to know if signatures were validated: it set the AD bit or the DO bit (RFC 6840
     * sections 5.7 and 5.8).
     */
    public boolean isAuthenticDataWanted() {
        return edns.isDnssecOk() || (message[3] & AUTHENTIC_DATA_BIT) != 0;
    }

    /** Whether the query has a complete question. If so, the response repeats the question unchanged. */
    public boolean hasQuestion() {
        return questionEnd > Wire.HEADER_BYTES;
    }

    /** Returns the offset at which the question ends, in the query and in every response to it. */
    public int questionEnd() {
        return questionEnd;
    }

    /** The bytes that were parsed. */
    public byte[] message() {
        return message;
    }

    /** Number of parsed bytes. */
    public int length() {
        return length;
    }
}
