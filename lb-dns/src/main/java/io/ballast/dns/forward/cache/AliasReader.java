package io.ballast.dns.forward.cache;

import io.ballast.dns.forward.question.Question;
import io.ballast.dns.wire.EdnsError;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * Makes the answer to a name that is rewritten to another one: a CNAME record, and what that one has. It is written down as a message
 * of a resolver, and read like one, since compression pointers of the other answer mean nothing behind another question.
 *
 * <p>Thread safety: confined to one thread. Cost: some copies of the answer; for misses alone.
 */
public final class AliasReader {

    /** Room for records whose names are written in full; what needs more is no answer. */
    private static final int MOST_BYTES = 1 << 18;

    private static final int RECORD_BYTES = 12;
    private static final int RESPONSE = 0x8000;

    /** Octets that names may take in the data of one record, beyond what they take compressed. */
    private static final int MOST_EXPANSION = 3 * Wire.MAX_NAME_BYTES;

    private final AnswerReader reader;
    private final RecordTable records = new RecordTable();
    private final WireName name = new WireName();
    private final byte[] other = new byte[Wire.MAX_MESSAGE_BYTES];
    private final byte[] out = new byte[MOST_BYTES];

    public AliasReader(TtlLimits limits) {
        this.reader = new AnswerReader(limits);
    }

    /**
     * The answer to {@code asked}; null if there is none of a size that could be sent.
     *
     * @param ttlSeconds of the CNAME record
     * @param target what was asked instead
     * @param answer to that; of a failure that is all
     * @param isStale whether that is what was true some time ago
     * @param judge of what it leads to
     */
    public @Nullable KeptAnswer read(
            Question asked,
            int ttlSeconds,
            Question target,
            KeptAnswer answer,
            boolean isStale,
            long nowNanos,
            AnswerJudge judge) {
        if (answer.isFailure()) {
            EdnsError why = answer.error();
            if (why != null) {
                return KeptAnswer.bogus(asked, why, /* seconds= */ 0, nowNanos);
            }
            return KeptAnswer.failure(asked, answer.rcode(), /* seconds= */ 0, nowNanos);
        }
        int questionEnd = KeptAnswer.questionEnd(target);
        int end = isStale
                ? answer.copyStale(other, questionEnd, KeptAnswer.STALE_TTL_SECONDS)
                : answer.copy(other, questionEnd, answer.ageSeconds(nowNanos));
        head(other, target, answer.rcode(), answer.answers(), answer.authority());
        if (!records.read(other, end, questionEnd)) {
            return null;
        }
        head(out, asked, answer.rcode(), answer.answers() + 1, answer.authority());
        int at = alias(target, isStale ? Math.min(ttlSeconds, KeptAnswer.STALE_TTL_SECONDS) : ttlSeconds, asked);
        for (int i = 0; i < records.count() && at > 0; i++) {
            at = record(i, at);
        }
        return at > 0 && reader.read(out, at, asked, nowNanos, judge) instanceof ReadAnswer.Taken taken
                ? taken.answer()
                : null;
    }

    private static void head(byte[] message, Question question, int rcode, int answers, int authority) {
        Wire.putU16(message, 0, 0);
        Wire.putU16(message, 2, RESPONSE | rcode);
        Wire.putU16(message, 4, 1);
        Wire.putU16(message, 6, answers);
        Wire.putU16(message, 8, authority);
        Wire.putU16(message, 10, 0);
        byte[] name = question.name();
        System.arraycopy(name, 0, message, Wire.HEADER_BYTES, name.length);
        Wire.putU16(message, Wire.HEADER_BYTES + name.length, question.type());
        Wire.putU16(message, Wire.HEADER_BYTES + name.length + 2, Wire.CLASS_IN);
    }

    private int alias(Question target, int ttlSeconds, Question asked) {
        int at = KeptAnswer.questionEnd(asked);
        byte[] to = target.name();
        Wire.putRecord(out, at, Wire.QUESTION_NAME, RecordType.CNAME, ttlSeconds, to.length);
        System.arraycopy(to, 0, out, at + RECORD_BYTES, to.length);
        return at + RECORD_BYTES + to.length;
    }

    /** Copies a record with its names in full; returns where it ends, -1 if there is no room. */
    private int record(int i, int start) {
        int most = Wire.MAX_NAME_BYTES + RecordTable.FIXED_BYTES + records.dataLength(i) + MOST_EXPANSION;
        if (start + most > out.length) {
            return -1;
        }
        records.owner(i, name);
        int at = name.copy(out, start);
        System.arraycopy(other, records.fixedAt(i), out, at, RecordTable.FIXED_BYTES);
        int data = at + RecordTable.FIXED_BYTES;
        int end = records.expandData(i, out, data);
        if (end - data > Wire.MAX_MESSAGE_BYTES) {
            return -1;
        }
        Wire.putU16(out, data - 2, end - data);
        return end;
    }
}
