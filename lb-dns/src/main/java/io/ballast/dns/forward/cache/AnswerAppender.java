package io.ballast.dns.forward.cache;

import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Wire;

/**
 * Appends a cached answer to the aliases that lead to its name. The compression pointers of the cached answer
 * are not valid in the new response, so records are written one by one. Owners become pointers to names of
 * the alias chain if possible; names in record data are written uncompressed. A record set is written
 * completely or not at all.
 *
 * <p>Thread safety: confined to one thread and reused. Cost: linear in the answer; allocates nothing after
 * the first use.
 */
public final class AnswerAppender {

    private static final int POINTER_BYTES = 2;
    private static final int MAX_POINTER_TARGET = 0x3fff;

    /**
     * Space for one record with uncompressed names. Records that do not fit into a message of maximum size are
     * omitted.
     */
    private static final int MAX_RECORD_BYTES = Wire.MAX_MESSAGE_BYTES + 4 * Wire.MAX_NAME_BYTES;

    private final RecordTable records = new RecordTable();
    private final WireName owner = new WireName();
    private final WireName previousOwner = new WireName();
    private final byte[] message = new byte[Wire.MAX_MESSAGE_BYTES];
    private final byte[] record = new byte[MAX_RECORD_BYTES];

    /** The targets of aliases and their offsets in the response. */
    private final WireName[] names = new WireName[Bailiwick.MAX_ALIASES + 1];

    private final int[] nameOffsets = new int[names.length];
    private int nameCount;

    private int position;
    private int answerCount;
    private int authorityCount;
    private boolean truncated;

    public AnswerAppender() {
        for (int i = 0; i < names.length; i++) {
            names[i] = new WireName();
        }
    }

    /**
     * Writes as many complete record sets of an answer as fit. The answer must not be a failure.
     *
     * @param isStale whether the answer is stale
     * @param out the response, which ends at {@code start}
     * @param limit end of the available space
     * @param nameAt offset of the uncompressed name of the answer in the response
     * @param nameBytes length of that name
     * @return end of the records
     */
    public int append(
            CacheEntry answer,
            boolean isStale,
            long nowNanos,
            byte[] out,
            int start,
            int limit,
            int nameAt,
            int nameBytes) {
        read(answer, isStale, nowNanos, out, nameAt, nameBytes);
        position = start;
        answerCount = 0;
        authorityCount = 0;
        truncated = false;
        int setStart = start;
        int setAnswers = 0;
        int setAuthority = 0;
        for (int i = 0; i < records.count(); i++) {
            if (!continuesSet(i)) {
                setStart = position;
                setAnswers = answerCount;
                setAuthority = authorityCount;
            }
            int length = expand(i);
            if (position + length > limit) {
                position = setStart;
                answerCount = setAnswers;
                authorityCount = setAuthority;
                truncated = true;
                break;
            }
            add(i, length, out);
        }
        return position;
    }

    private void read(CacheEntry answer, boolean isStale, long nowNanos, byte[] out, int nameAt, int nameBytes) {
        int questionEnd = Wire.HEADER_BYTES + nameBytes + 4;
        System.arraycopy(out, nameAt, message, Wire.HEADER_BYTES, nameBytes);
        int end = isStale
                ? answer.copyStale(message, questionEnd, CacheEntry.STALE_TTL_SECONDS)
                : answer.copy(message, questionEnd, answer.ageSeconds(nowNanos));
        Wire.putU16(message, 6, answer.answerCount());
        Wire.putU16(message, 8, answer.authorityCount());
        Wire.putU16(message, 10, 0);
        if (answer.questionEnd() != questionEnd || !records.read(message, end, questionEnd)) {
            throw new IllegalArgumentException(
                    "the alias chain leads to a different name than that of the cached answer");
        }
        nameCount = 0;
        names[0].set(out, nameAt, nameBytes);
        registerName(nameAt);
    }

    /**
     * Reads the owner of a record, and returns whether the record belongs to the same set as the previous record.
     */
    private boolean continuesSet(int i) {
        boolean isFirst = i == 0 || records.isAnswer(i) != records.isAnswer(i - 1);
        if (!isFirst) {
            records.readOwner(i - 1, previousOwner);
        }
        records.readOwner(i, owner);
        return !isFirst
                && records.type(i) == records.type(i - 1)
                && records.coveredType(i) == records.coveredType(i - 1)
                && owner.isSame(previousOwner);
    }

    /** Writes the record whose owner has been read, and returns its length. */
    private int expand(int i) {
        int fixed = putOwner();
        System.arraycopy(message, records.fixedFieldsOffset(i), record, fixed, RecordTable.FIXED_BYTES);
        int data = fixed + RecordTable.FIXED_BYTES;
        int end = records.expandData(i, record, data);
        Wire.putU16(record, data - 2, end - data);
        return end;
    }

    private int putOwner() {
        for (int i = nameCount - 1; i >= 0; i--) {
            if (names[i].isAtOrBelow(owner)) {
                Wire.putU16(record, 0, Wire.POINTER << 8 | (nameOffsets[i] + names[i].length() - owner.length()));
                return POINTER_BYTES;
            }
        }
        return owner.copy(record, 0);
    }

    private void add(int i, int length, byte[] out) {
        System.arraycopy(record, 0, out, position, length);
        position += length;
        if (!records.isAnswer(i)) {
            authorityCount++;
            return;
        }
        answerCount++;
        if (records.type(i) == RecordType.CNAME && nameCount < names.length) {
            records.readTarget(i, names[nameCount]);
            registerName(position - names[nameCount].length());
        }
    }

    /** Registers the offset of the last read name, if a compression pointer can refer to it. */
    private void registerName(int offset) {
        nameOffsets[nameCount] = offset;
        nameCount += offset + names[nameCount].length() <= MAX_POINTER_TARGET ? 1 : 0;
    }

    /** Number of records in the answer section that the last {@link #append} wrote. */
    public int answerCount() {
        return answerCount;
    }

    /** Number of records in the authority section that the last {@link #append} wrote. */
    public int authorityCount() {
        return authorityCount;
    }

    /** Whether a record set was omitted. */
    public boolean isTruncated() {
        return truncated;
    }
}
