package io.ballast.dns.forward.cache;

import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Offsets of the records in a well-formed message: first the records of the answer section, then the records
 * of the authority section. The additional section is read only for its OPT record.
 *
 * <p>Thread safety: confined to one thread, which uses it for one message at a time. Cost: linear in the size
 * of the message, plus a bounded number of compression pointers for each name.
 */
final class RecordTable {

    static final int FIXED_BYTES = 10;
    static final int TTL_OFFSET = 4;

    private static final int DATA_LENGTH_OFFSET = 8;
    private static final int MIN_RECORD_BYTES = 1 + FIXED_BYTES;
    private static final int FIRST_CAPACITY = 64;

    private final RecordData data = new RecordData();
    private final ServiceParams params = new ServiceParams();
    private final WireName name = new WireName();

    /** The positions of TTL bytes, which are changed later; names must not use them as compression targets. */
    private final BitSet ttls = new BitSet();

    private byte[] message = {};
    private int length;
    private int answerCount;
    private int count;
    private int extendedRcode;
    private boolean hasOpt;

    /** Start offsets of the records, and the end of the last one. */
    private int[] starts = new int[FIRST_CAPACITY];

    /** Offset of the type of each record. */
    private int[] types = new int[FIRST_CAPACITY];

    /** Reads a message from the end of its question and returns whether it is well-formed. */
    boolean read(byte[] bytes, int byteCount, int questionEnd) {
        message = bytes;
        length = byteCount;
        answerCount = Wire.u16(bytes, 6);
        count = answerCount + Wire.u16(bytes, 8);
        extendedRcode = 0;
        hasOpt = false;
        ttls.clear();
        int additional = Wire.u16(bytes, 10);
        if ((long) (count + additional) * MIN_RECORD_BYTES > byteCount - questionEnd) {
            return false;
        }
        if (count >= starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
            types = Arrays.copyOf(types, 2 * count);
        }
        int at = questionEnd;
        for (int i = 0; i < count && at >= 0; i++) {
            at = readRecord(i, at);
        }
        starts[count] = at;
        for (int i = 0; i < additional && at >= 0; i++) {
            at = skipRecord(at);
        }
        return at >= 0;
    }

    private int readRecord(int i, int start) {
        int fixed = name.read(message, start, length, ttls);
        if (fixed < 0 || fixed + FIXED_BYTES > length) {
            return -1;
        }
        starts[i] = start;
        types[i] = fixed;
        int end = fixed + FIXED_BYTES + dataLength(i);
        if (end > length || type(i) == RecordType.OPT) {
            return -1;
        }
        ttls.set(ttlOffset(i), ttlOffset(i) + Integer.BYTES);
        boolean isValid = !isClassIn(i) || data.isValid(message, type(i), dataOffset(i), dataLength(i), ttls);
        return isValid ? end : -1;
    }

    private int skipRecord(int start) {
        int fixed = name.read(message, start, length, ttls);
        if (fixed < 0 || fixed + FIXED_BYTES > length) {
            return -1;
        }
        int end = fixed + FIXED_BYTES + Wire.u16(message, fixed + DATA_LENGTH_OFFSET);
        if (end > length || (Wire.u16(message, fixed) == RecordType.OPT && !readOpt(start, fixed))) {
            return -1;
        }
        return end;
    }

    /** Reads the upper bits of the response code from the OPT record. */
    private boolean readOpt(int start, int fixed) {
        if (hasOpt || fixed != start + 1) {
            return false;
        }
        hasOpt = true;
        extendedRcode = Wire.u8(message, fixed + TTL_OFFSET);
        return true;
    }

    /** The upper eight bits of the response code. */
    int extendedRcode() {
        return extendedRcode;
    }

    byte[] message() {
        return message;
    }

    /** Returns the number of records in the answer section. */
    int answerCount() {
        return answerCount;
    }

    /** Returns the number of records in the answer and authority sections together. */
    int count() {
        return count;
    }

    boolean isAnswer(int i) {
        return i < answerCount;
    }

    /** Returns the start offset of a record, which is also the end of the previous record. */
    int start(int i) {
        return starts[i];
    }

    void readOwner(int i, WireName into) {
        into.read(message, starts[i], length, ttls);
    }

    /** Reads the name at the start of a record's data. */
    void readTarget(int i, WireName into) {
        into.read(message, dataOffset(i), length, ttls);
    }

    /**
     * Reads the target name of a record.
     *
     * @return whether the record has a target other than the root, which means that there is no target
     */
    boolean readHostTarget(int i, WireName into) {
        int at = data.targetOffset(message, type(i), dataOffset(i), dataLength(i));
        if (at == RecordData.NO_TARGET) {
            return false;
        }
        into.read(message, at, length, ttls);
        return into.length() > 1;
    }

    boolean isSvcbOrHttps(int i) {
        return type(i) == RecordType.SVCB || type(i) == RecordType.HTTPS;
    }

    /** Returns the parameters of an SVCB or HTTPS record; they are valid until the next call. */
    ServiceParams params(int i) {
        int end = dataOffset(i) + dataLength(i);
        int at = data.targetOffset(message, type(i), dataOffset(i), dataLength(i));
        return params.read(message, name.read(message, at, length, ttls), end);
    }

    /** Reads the signer of an RRSIG record. */
    void readSigner(int i, WireName into) {
        into.read(message, dataOffset(i) + RecordData.SIGNER_OFFSET, length, ttls);
    }

    int type(int i) {
        return Wire.u16(message, types[i]);
    }

    /** Returns the type of a record, or the covered type if the record is a signature. */
    int coveredType(int i) {
        return type(i) == RecordType.RRSIG ? Wire.u16(message, dataOffset(i)) : type(i);
    }

    boolean isClassIn(int i) {
        return Wire.u16(message, types[i] + 2) == Wire.CLASS_IN;
    }

    /** The MINIMUM field of an SOA record. */
    int soaMinimum(int i) {
        return Wire.u32(message, dataOffset(i) + dataLength(i) - Integer.BYTES);
    }

    int ttl(int i) {
        return Wire.u32(message, ttlOffset(i));
    }

    int ttlOffset(int i) {
        return types[i] + TTL_OFFSET;
    }

    /** Returns the offset of the fixed fields of a record: type, class, TTL and data length. */
    int fixedFieldsOffset(int i) {
        return types[i];
    }

    int dataOffset(int i) {
        return types[i] + FIXED_BYTES;
    }

    int dataLength(int i) {
        return Wire.u16(message, types[i] + DATA_LENGTH_OFFSET);
    }

    /** Copies the data of a record with its names expanded, and returns the end offset of the copy. */
    int expandData(int i, byte[] out, int at) {
        return data.expand(message, type(i), dataOffset(i), dataLength(i), ttls, out, at);
    }
}
