package io.ballast.dns.forward.cache;

import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Creates the sections of a cached answer from selected records of a message. If these are the first records
 * of the message, they are copied as a whole, because their compression pointers refer to earlier bytes only.
 * Otherwise they are written record by record, with uncompressed names.
 *
 * <p>Thread safety: confined to one thread and reused.
 */
final class SectionWriter {

    private static final int FIRST_CAPACITY = 64;
    private static final int POINTER_BYTES = 2;
    private static final int CLASS_OFFSET = 2;
    private static final int DATA_LENGTH_OFFSET = 8;

    /** The maximum number of names in the data of one record. */
    private static final int MAX_NAMES_IN_DATA = 2;

    private final RecordTable records;
    private final Bailiwick bailiwick;
    private final WireName owner = new WireName();
    private byte[] expanded = {};
    /**
     * Indexes of records in the message. A synthesized record is represented by the bitwise complement of the index of
     * its alias in the chain.
     */
    private int[] selected = new int[FIRST_CAPACITY];

    private int[] ttls = new int[FIRST_CAPACITY];
    private int count;
    private int synthesizedCount;

    SectionWriter(RecordTable records, Bailiwick bailiwick) {
        this.records = records;
        this.bailiwick = bailiwick;
    }

    /** Clears the sections, before records of the message that was read last are added. */
    void begin() {
        count = 0;
        synthesizedCount = 0;
    }

    /** Adds a CNAME record that is not in the message: the alias from one name of the chain to the next. */
    void addAlias(int link, int ttl) {
        add(~link, ttl);
        synthesizedCount++;
    }

    /** Returns the number of synthesized records, which are not in the message. */
    int synthesizedCount() {
        return synthesizedCount;
    }

    /** Selects the next record, in the order of the message, and sets its TTL. */
    void add(int record, int ttl) {
        if (count == selected.length) {
            selected = Arrays.copyOf(selected, 2 * count);
            ttls = Arrays.copyOf(ttls, 2 * count);
        }
        selected[count] = record;
        ttls[count] = ttl;
        count++;
    }

    /** Returns the number of selected records. */
    int records() {
        return count;
    }

    /** Returns the sections; null if they are too long for a message. */
    @Nullable Sections write(int questionEnd) {
        if (count == 0) {
            return Sections.EMPTY;
        }
        boolean isPrefix = synthesizedCount == 0 && selected[count - 1] == count - 1;
        return isPrefix ? copy(questionEnd) : expand(questionEnd);
    }

    private int answerCount() {
        int answers = 0;
        while (answers < count && (selected[answers] < 0 || records.isAnswer(selected[answers]))) {
            answers++;
        }
        return answers;
    }

    private Sections copy(int questionEnd) {
        int recordBytes = records.start(count) - questionEnd;
        byte[] bytes = new byte[recordBytes + count * CacheEntry.TTL_POSITION_BYTES];
        System.arraycopy(records.message(), questionEnd, bytes, 0, recordBytes);
        for (int i = 0; i < count; i++) {
            records.readOwner(i, owner);
            if (bailiwick.queriedName().isAtOrBelow(owner)) {
                // An uncompressed owner name may have the randomized case of the query.
                WireName.lowerCase(bytes, records.start(i) - questionEnd);
            }
            putTtl(bytes, recordBytes, i, records.ttlOffset(i) - questionEnd);
        }
        return new Sections(bytes, recordBytes, answerCount(), count - answerCount());
    }

    private void putTtl(byte[] bytes, int recordBytes, int i, int position) {
        Wire.putU32(bytes, position, ttls[i]);
        Wire.putU16(bytes, recordBytes + i * CacheEntry.TTL_POSITION_BYTES, position);
    }

    private @Nullable Sections expand(int questionEnd) {
        if (expanded.length == 0) {
            expanded = new byte[Wire.MAX_MESSAGE_BYTES];
        }
        int[] positions = new int[count];
        int at = questionEnd;
        for (int i = 0; i < count; i++) {
            int record = selected[i];
            int data = record < 0 ? 0 : records.dataLength(record);
            int max = RecordTable.FIXED_BYTES + data + (1 + MAX_NAMES_IN_DATA) * Wire.MAX_NAME_BYTES;
            if (at + max > expanded.length) {
                return null;
            }
            if (record < 0) {
                int fixed = putOwner(bailiwick.name(~record), at);
                positions[i] = fixed + RecordTable.TTL_OFFSET - questionEnd;
                at = putAlias(bailiwick.name(~record + 1), fixed);
                continue;
            }
            int fixed = putOwner(record, at);
            positions[i] = fixed + RecordTable.TTL_OFFSET - questionEnd;
            at = putRest(record, fixed);
        }
        int recordBytes = at - questionEnd;
        byte[] bytes = new byte[recordBytes + count * CacheEntry.TTL_POSITION_BYTES];
        System.arraycopy(expanded, questionEnd, bytes, 0, recordBytes);
        for (int i = 0; i < count; i++) {
            putTtl(bytes, recordBytes, i, positions[i]);
        }
        return new Sections(bytes, recordBytes, answerCount(), count - answerCount());
    }

    private int putOwner(int record, int at) {
        records.readOwner(record, owner);
        return putOwner(owner, at);
    }

    private int putOwner(WireName name, int at) {
        if (name.isSame(bailiwick.queriedName())) {
            Wire.putU16(expanded, at, Wire.QUESTION_NAME);
            return at + POINTER_BYTES;
        }
        return name.copy(expanded, at);
    }

    private int putAlias(WireName target, int at) {
        Wire.putU16(expanded, at, RecordType.CNAME);
        Wire.putU16(expanded, at + CLASS_OFFSET, Wire.CLASS_IN);
        Wire.putU16(expanded, at + DATA_LENGTH_OFFSET, target.length());
        return target.copy(expanded, at + RecordTable.FIXED_BYTES);
    }

    private int putRest(int record, int at) {
        System.arraycopy(records.message(), records.fixedFieldsOffset(record), expanded, at, RecordTable.FIXED_BYTES);
        int data = at + RecordTable.FIXED_BYTES;
        int end = records.expandData(record, expanded, data);
        Wire.putU16(expanded, data - 2, end - data);
        return end;
    }
}
