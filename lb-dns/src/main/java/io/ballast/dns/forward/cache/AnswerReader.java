package io.ballast.dns.forward.cache;

import io.ballast.dns.forward.cache.CacheEntry.Kind;
import io.ballast.dns.forward.cache.ParsedAnswer.Refused;
import io.ballast.dns.forward.cache.ParsedAnswer.Taken;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.wire.OptRecord;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Wire;
import java.util.BitSet;

/**
 * Parses upstream messages: checks their format, removes records that do not belong to the question, and
 * computes the lifetime.
 *
 * <p>Thread safety: confined to one thread, which uses it for one message at a time. It never throws and
 * never reads outside the message, even for malformed data.
 */
public final class AnswerReader {

    private static final int RESPONSE_BIT = 0x80;
    private static final int OPCODE_MASK = 0x78;
    private static final int TRUNCATED_BIT = 0x02;
    private static final int AUTHORITY_BIT = 0x04;
    private static final int RECURSION_AVAILABLE_BIT = 0x80;
    private static final int RCODE_MASK = 0x0f;
    private static final BitSet NOTHING = new BitSet();

    private final TtlLimits limits;
    private final RecordTable records = new RecordTable();
    private final Bailiwick bailiwick = new Bailiwick();
    private final SectionWriter writer = new SectionWriter(records, bailiwick);
    private final WireName name = new WireName();
    private final AnswerInspector inspector = new AnswerInspector(records, bailiwick);

    public AnswerReader(TtlLimits limits) {
        this.limits = limits;
    }

    /**
     * Reads the first {@code length} bytes of a message. The caller may reuse the array afterwards. Bytes after
     * the last record are ignored.
     *
     * @param question the question; the caller has compared the id and the case of the name
     */
    public ParsedAnswer read(byte[] message, int length, Question question, long nowNanos) {
        return read(message, length, question, nowNanos, AnswerEvaluator.ALLOW_ALL);
    }

    /**
     * Reads a message. The returned answer also contains the verdicts of {@code evaluator} about the names and
     * addresses in the message.
     */
    public ParsedAnswer read(byte[] message, int length, Question question, long nowNanos, AnswerEvaluator evaluator) {
        return read(message, length, question, nowNanos, evaluator, Signatures.UNVALIDATED);
    }

    /** Reads a validated message; signatures are removed unless they were requested. */
    public ParsedAnswer read(
            byte[] message,
            int length,
            Question question,
            long nowNanos,
            AnswerEvaluator evaluator,
            Signatures signatures) {
        if (isErrorWithoutQuestion(message, length)) {
            return readError(message, length, question, nowNanos);
        }
        int questionEnd = CacheEntry.questionEnd(question);
        if (!isResponse(message, length, question, questionEnd)) {
            return Refused.MALFORMED;
        }
        if ((message[2] & TRUNCATED_BIT) != 0) {
            return Refused.TRUNCATED;
        }
        if (!records.read(message, length, questionEnd)) {
            return Refused.MALFORMED;
        }
        int rcode = records.extendedRcode() << 4 | (message[3] & RCODE_MASK);
        if (!isAnswer(rcode)) {
            return failure(question, rcode, nowNanos);
        }
        if (!bailiwick.followAliases(records, question)) {
            return Refused.ALIAS_LOOP;
        }
        boolean mayBeLame = rcode == Rcode.NOERROR && !signatures.isValidated();
        return mayBeLame && isLame(message, question.type())
                ? Refused.LAME
                : accept(question, rcode, nowNanos, evaluator, signatures);
    }

    /** Whether a message is an error without a question section. Only its id matches it to the query. */
    private static boolean isErrorWithoutQuestion(byte[] message, int length) {
        return length >= Wire.HEADER_BYTES
                && (message[2] & RESPONSE_BIT) != 0
                && (message[2] & OPCODE_MASK) == 0
                && (message[3] & RCODE_MASK) != Rcode.NOERROR
                && Wire.u16(message, 4) == 0;
    }

    private ParsedAnswer readError(byte[] message, int length, Question question, long nowNanos) {
        int opt = OptRecord.find(message, length, Wire.HEADER_BYTES);
        int rcode = OptRecord.rcode(message, opt);
        // Without a question section, NXDOMAIN does not refer to a name.
        return failure(question, isAnswer(rcode) ? Rcode.SERVFAIL : rcode, nowNanos);
    }

    private Taken failure(Question question, int rcode, long nowNanos) {
        int clientRcode = isMeaningfulToClients(rcode) ? rcode : Rcode.SERVFAIL;
        CacheEntry answer = CacheEntry.failure(question, clientRcode, limits.failureSeconds(), nowNanos);
        return new Taken(answer, rcode, /* dropped= */ 0);
    }

    /**
     * Whether a response code is useful to a client. The other codes concern updates, signatures, EDNS or
     * cookies, or have no meaning.
     */
    private static boolean isMeaningfulToClients(int rcode) {
        return rcode == Rcode.FORMERR || rcode == Rcode.SERVFAIL || rcode == Rcode.NOTIMP || rcode == Rcode.REFUSED;
    }

    /**
     * Whether a message without an error contains no answer: it has neither records at the end of the alias chain nor
     * an SOA record that denies them. In addition, it contains a referral to name servers (RFC 2308 section 2.2), or
     * its sender neither offers recursion nor is authoritative.
     */
    private boolean isLame(byte[] message, int type) {
        if (hasAnswer(type)) {
            return false;
        }
        boolean hasReferral = false;
        for (int i = records.answerCount(); i < records.count(); i++) {
            if (records.type(i) == RecordType.SOA) {
                return false;
            }
            hasReferral |= records.type(i) == RecordType.NS;
        }
        boolean isResolverOrAuthority =
                (message[3] & RECURSION_AVAILABLE_BIT) != 0 || (message[2] & AUTHORITY_BIT) != 0;
        return hasReferral || !isResolverOrAuthority;
    }

    /** Returns whether a message is a response to the question, ignoring case. */
    private boolean isResponse(byte[] message, int length, Question question, int questionEnd) {
        int nameEnd = questionEnd - 4;
        return length >= questionEnd
                && (message[2] & RESPONSE_BIT) != 0
                && (message[2] & OPCODE_MASK) == 0
                && Wire.u16(message, 4) == 1
                && Wire.u16(message, nameEnd) == question.type()
                && Wire.u16(message, nameEnd + 2) == Wire.CLASS_IN
                && name.read(message, Wire.HEADER_BYTES, nameEnd, NOTHING) == nameEnd
                && name.isSame(question.name());
    }

    /**
     * Returns whether a response with this code counts as an answer. YXDOMAIN counts as an answer: it means that a
     * DNAME substitution made the name too long.
     */
    private static boolean isAnswer(int rcode) {
        return rcode == Rcode.NOERROR || rcode == Rcode.NXDOMAIN || rcode == Rcode.YXDOMAIN;
    }

    private ParsedAnswer accept(
            Question question, int rcode, long nowNanos, AnswerEvaluator evaluator, Signatures signatures) {
        boolean negative = rcode == Rcode.NXDOMAIN || (rcode == Rcode.NOERROR && !hasAnswer(question.type()));
        boolean removesSignatures = signatures.isValidated() && !question.isDnssecOk();
        int stripped = 0;
        int lifetime = Integer.MAX_VALUE;
        boolean hasDenialTtl = false;
        writer.begin();
        for (int i = 0; i < records.count(); i++) {
            if (removesSignatures && isSignatureType(i) && records.type(i) != question.type()) {
                stripped++;
            } else if (bailiwick.isInBailiwick(records, i)) {
                boolean denies = negative && !records.isAnswer(i) && records.type(i) == RecordType.SOA;
                int boundedTtl = denies ? denialTtl(i) : limits.clamp(records.ttl(i));
                int ttl = Math.min(boundedTtl, signatures.maxSeconds());
                hasDenialTtl |= denies && isAboveLastName(i);
                lifetime = Math.min(lifetime, ttl);
                writer.add(i, ttl);
                if (records.type(i) == RecordType.DNAME) {
                    synthesizeCnames(i, ttl);
                }
            }
        }
        boolean isCacheable = writer.records() > 0 && (!negative || hasDenialTtl);
        Sections sections = writer.write(CacheEntry.questionEnd(question));
        if (sections == null) {
            return Refused.MALFORMED;
        }
        Kind kind = negative ? Kind.NEGATIVE : Kind.POSITIVE;
        int questionEnd = CacheEntry.questionEnd(question);
        CacheEntry answer = new CacheEntry(
                sections,
                questionEnd,
                rcode,
                kind,
                isCacheable ? lifetime : 0,
                nowNanos,
                inspector.evaluate(evaluator, question),
                signatures.isSecure(),
                /* error= */ null);
        return new Taken(answer, rcode, records.count() - writer.records() + writer.synthesizedCount() - stripped);
    }

    /** Adds the CNAME records that a DNAME record implies but the message omits (RFC 6672 section 3.1). */
    private void synthesizeCnames(int i, int ttl) {
        for (int link = 0; link < bailiwick.aliasCount(); link++) {
            if (bailiwick.isCnameMissing(link, i)) {
                writer.addAlias(link, ttl);
            }
        }
    }

    private boolean isSignatureType(int i) {
        int type = records.type(i);
        return type == RecordType.RRSIG || type == RecordType.NSEC || type == RecordType.NSEC3;
    }

    /** Returns whether the answer section has records of a type at the end of the alias chain. */
    private boolean hasAnswer(int type) {
        for (int i = 0; i < records.answerCount(); i++) {
            if ((type == RecordType.ANY || records.type(i) == type) && bailiwick.isInBailiwick(records, i)) {
                records.readOwner(i, name);
                if (name.isSame(bailiwick.lastName())) {
                    return true;
                }
            }
        }
        return (type == RecordType.CNAME || type == RecordType.ANY) && bailiwick.aliasCount() > 0;
    }

    /** Returns the negative TTL of an SOA record (RFC 2308 section 5). */
    private int denialTtl(int i) {
        return limits.clampNegative(Math.min(Math.max(records.ttl(i), 0), Math.max(records.soaMinimum(i), 0)));
    }

    private boolean isAboveLastName(int i) {
        records.readOwner(i, name);
        return bailiwick.lastName().isAtOrBelow(name);
    }
}
