package io.ballast.dns.forward.cache;

import io.ballast.core.Checks;
import io.ballast.dns.forward.question.ClientSubnet;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.wire.EdnsError;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.Response;
import io.ballast.dns.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * An upstream's answer to a question: its answer and authority sections, without data that belongs to
 * the first client. The id, the case of the name, RD, CD and OPT of a response are taken from the query of each
 * client.
 *
 * <p>The sections follow the question, whose length is the same for all clients. So compression pointers,
 * which count from the start of the message, are valid in every response.
 *
 * <p>Thread safety: immutable. Cost: writing a response copies the sections and visits each TTL; it allocates
 * nothing.
 */
public final class CacheEntry {

    /** The kind of an answer. */
    public enum Kind {
        /** The records exist. */
        POSITIVE,
        /** The name does not exist, or it has no records of the type. */
        NEGATIVE,
        /** The upstream could not answer, or refused the query. */
        FAILURE
    }

    /**
     * The TTL of stale answers (<a href="https://datatracker.ietf.org/doc/html/rfc8767#section-4">RFC 8767 section
     * 4</a>).
     */
    public static final int STALE_TTL_SECONDS = 30;

    static final int TTL_POSITION_BYTES = 2;

    private static final int MIN_PREFETCHED_SECONDS = 10;

    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final int MAX_RCODE_WITHOUT_OPT = 15;
    private static final int RESPONSE = 0x8000 | Response.RECURSION_AVAILABLE;
    private static final int SHALLOW_BYTES = 64;
    private static final int VERDICTS_BYTES = 24;
    private static final int ARRAY_HEADER_BYTES = 16;

    /** The sections, followed by the offset of each TTL as 16 bits, counted from the start of the sections. */
    private final byte[] bytes;

    private final int sectionBytes;
    private final int questionEnd;
    private final int answerCount;
    private final int authorityCount;
    private final int rcode;
    private final Kind kind;
    private final int lifetimeSeconds;
    private final long receivedNanos;
    private final AnswerVerdicts verdicts;
    private final long refreshNanos;
    private final boolean secure;
    private final @Nullable EdnsError error;
    private final short scope;

    CacheEntry(
            Sections sections,
            int questionEnd,
            int rcode,
            Kind kind,
            int lifetimeSeconds,
            long receivedNanos,
            AnswerVerdicts verdicts) {
        this(
                sections,
                questionEnd,
                rcode,
                kind,
                lifetimeSeconds,
                receivedNanos,
                verdicts,
                /* secure= */ false,
                /* error= */ null);
    }

    CacheEntry(
            Sections sections,
            int questionEnd,
            int rcode,
            Kind kind,
            int lifetimeSeconds,
            long receivedNanos,
            AnswerVerdicts verdicts,
            boolean secure,
            @Nullable EdnsError error) {
        this.bytes = sections.bytes();
        this.sectionBytes = sections.recordBytes();
        this.questionEnd = questionEnd;
        this.answerCount = sections.answerCount();
        this.authorityCount = sections.authorityCount();
        this.rcode = rcode;
        this.kind = kind;
        this.lifetimeSeconds = lifetimeSeconds;
        this.receivedNanos = receivedNanos;
        this.refreshNanos = receivedNanos + lifetimeSeconds * NANOS_PER_SECOND;
        this.verdicts = verdicts;
        this.secure = secure;
        this.error = error;
        this.scope = 0;
    }

    private CacheEntry(CacheEntry from, long refreshNanos, int scope) {
        this.bytes = from.bytes;
        this.sectionBytes = from.sectionBytes;
        this.questionEnd = from.questionEnd;
        this.answerCount = from.answerCount;
        this.authorityCount = from.authorityCount;
        this.rcode = from.rcode;
        this.kind = from.kind;
        this.lifetimeSeconds = from.lifetimeSeconds;
        this.receivedNanos = from.receivedNanos;
        this.verdicts = from.verdicts;
        this.refreshNanos = refreshNanos;
        this.secure = from.secure;
        this.error = from.error;
        this.scope = (short) scope;
    }

    /** Returns a copy with the retry time of a failure; no resolver is queried before that time. */
    CacheEntry withRefreshTimeOf(CacheEntry failure) {
        return new CacheEntry(this, failure.refreshNanos, scope);
    }

    /** Returns a copy of the answer; no upstream is queried again before the given time. */
    CacheEntry withRefreshTime(long untilNanos) {
        return new CacheEntry(this, untilNanos, scope);
    }

    /**
     * Returns a copy of the answer with another scope: a number of leading bits of the queried network, or {@link
     * ClientSubnet#UNKNOWN_SCOPE}.
     */
    public CacheEntry withScope(int bits) {
        return bits == scope ? this : new CacheEntry(this, refreshNanos, bits);
    }

    /**
     * Returns a failure that is cached in place of an answer (<a
     * href="https://datatracker.ietf.org/doc/html/rfc9520">RFC 9520</a>).
     *
     * @param seconds how long the failure is cached, at most {@value TtlLimits#MAX_FAILURE_SECONDS}
     */
    public static CacheEntry failure(Question question, int rcode, int seconds, long nowNanos) {
        Checks.between(seconds, 0, TtlLimits.MAX_FAILURE_SECONDS, "seconds");
        return new CacheEntry(
                Sections.EMPTY, questionEnd(question), rcode, Kind.FAILURE, seconds, nowNanos, AnswerVerdicts.NONE);
    }

    /**
     * Creates a cache entry that marks the answer to a question as bogus for a limited time.
     *
     * @param seconds how long the result is cached, at most {@value TtlLimits#MAX_FAILURE_SECONDS}
     */
    public static CacheEntry bogus(Question question, EdnsError reason, int seconds, long nowNanos) {
        Checks.between(seconds, 0, TtlLimits.MAX_FAILURE_SECONDS, "seconds");
        return new CacheEntry(
                Sections.EMPTY,
                questionEnd(question),
                Rcode.SERVFAIL,
                Kind.FAILURE,
                seconds,
                nowNanos,
                AnswerVerdicts.NONE,
                /* secure= */ false,
                reason);
    }

    /** Returns the end offset of the question section in the message that was cached. */
    int questionEnd() {
        return questionEnd;
    }

    /** Returns the end offset of the question section in every message about the question. */
    static int questionEnd(Question question) {
        return Wire.HEADER_BYTES + question.name().length + 4;
    }

    /**
     * Writes the response to a query whose OPT record is complete. TTLs are reduced by the age, to at least 0.
     *
     * @param query a query for the cached question
     * @param out buffer with space for {@code limit} bytes
     * @param limit the maximum length in bytes, OPT included; a longer response is truncated (TC set, empty sections)
     * @return the end of the response
     */
    public int write(Query query, byte[] out, int limit, int ageSeconds) {
        int at = beginResponse(query, out);
        if (isTooLong(query, at, limit)) {
            return finish(query, out, at, Response.TRUNCATED);
        }
        int authenticData = secure && query.isAuthenticDataWanted() ? Response.AUTHENTIC_DATA : 0;
        return finish(query, out, copy(out, at, ageSeconds), authenticData);
    }

    /**
     * Writes the response with an expired answer. All records get the same TTL, such as
     * {@link #STALE_TTL_SECONDS}. AD is not set: a signature may have expired since it was checked.
     */
    public int writeStale(Query query, byte[] out, int limit, int ttlSeconds) {
        int at = beginResponse(query, out);
        return isTooLong(query, at, limit)
                ? finish(query, out, at, Response.TRUNCATED)
                : finish(query, out, copyStale(out, at, Math.max(ttlSeconds, 0)), /* flags= */ 0);
    }

    private int beginResponse(Query query, byte[] out) {
        int at = Response.begin(query, out);
        if (at != questionEnd) {
            throw new IllegalArgumentException("the query name differs from the name of the cached answer");
        }
        return at;
    }

    private boolean isTooLong(Query query, int at, int limit) {
        return at + sectionBytes > limit - query.opt().bytes();
    }

    /** Returns the answer as a complete message with the TTLs at caching time and the question in lower case. */
    public byte[] message(Question question) {
        return message(question, /* ageSeconds= */ 0);
    }

    /** Returns the answer as a complete message, with its TTLs reduced by the age. */
    public byte[] message(Question question, int ageSeconds) {
        byte[] out = new byte[questionEnd + sectionBytes];
        Wire.putU16(out, 2, RESPONSE | (rcode & MAX_RCODE_WITHOUT_OPT));
        Wire.putU16(out, 4, 1);
        Wire.putU16(out, 6, answerCount);
        Wire.putU16(out, 8, authorityCount);
        System.arraycopy(question.name(), 0, out, Wire.HEADER_BYTES, question.name().length);
        Wire.putU16(out, questionEnd - 4, question.type());
        Wire.putU16(out, questionEnd - 2, Wire.CLASS_IN);
        copy(out, questionEnd, ageSeconds);
        return out;
    }

    /**
     * Copies the sections to offset {@code at} of {@code out}, directly after the question. Returns the end of
     * the copy. Reduces TTLs by the age.
     */
    int copy(byte[] out, int at, int ageSeconds) {
        System.arraycopy(bytes, 0, out, at, sectionBytes);
        for (int i = sectionBytes; i < bytes.length; i += TTL_POSITION_BYTES) {
            int position = Wire.u16(bytes, i);
            Wire.putU32(out, at + position, Math.max(Wire.u32(bytes, position) - ageSeconds, 0));
        }
        return at + sectionBytes;
    }

    /** Copies the sections with the same TTL for all records, and returns the end of the copy. */
    int copyStale(byte[] out, int at, int ttlSeconds) {
        System.arraycopy(bytes, 0, out, at, sectionBytes);
        for (int i = sectionBytes; i < bytes.length; i += TTL_POSITION_BYTES) {
            Wire.putU32(out, at + Wire.u16(bytes, i), ttlSeconds);
        }
        return at + sectionBytes;
    }

    private int finish(Query query, byte[] out, int at, int flags) {
        // Without OPT, the low bits of an extended code would mean something else, even "no error".
        int responseRcode = rcode > MAX_RCODE_WITHOUT_OPT && !query.edns().isPresent() ? Rcode.SERVFAIL : rcode;
        int echoedFlags = query.isCheckingDisabled() ? Response.CHECKING_DISABLED : 0;
        Response.writeHeader(query, out, flags | echoedFlags | Response.RECURSION_AVAILABLE, responseRcode);
        if ((flags & Response.TRUNCATED) == 0) {
            Wire.putU16(out, 6, answerCount);
            Wire.putU16(out, 8, authorityCount);
        }
        return Response.end(query, out, at, /* additional= */ 0, responseRcode);
    }

    /** Returns the time at which the answer was cached, on the clock of {@link System#nanoTime()}. */
    public long receivedNanos() {
        return receivedNanos;
    }

    /** Returns the whole seconds since the answer was cached. */
    public int ageSeconds(long nowNanos) {
        return (int) Math.min(Math.max(nowNanos - receivedNanos, 0) / NANOS_PER_SECOND, Integer.MAX_VALUE);
    }

    /** Returns whether the age of the answer is below its lifetime. */
    public boolean isFresh(long nowNanos) {
        return ageSeconds(nowNanos) < lifetimeSeconds;
    }

    /**
     * Whether the answer is fresh, or expired less than {@code staleSeconds} ago. A failure is usable only while
     * it is fresh.
     */
    boolean isUsable(long nowNanos, long staleSeconds) {
        return ageSeconds(nowNanos) < lifetimeSeconds + (isFailure() ? 0 : staleSeconds);
    }

    /**
     * Whether an upstream should be queried again: the answer has expired, and a failed refresh no longer delays
     * the next one (the failure recheck timer of RFC 8767 section 5).
     */
    public boolean isRefreshDue(long nowNanos) {
        return nowNanos - refreshNanos >= 0;
    }

    /** Whether the refresh of the answer is postponed because a refresh is in flight or failed recently. */
    public boolean isRefreshPostponed() {
        return refreshNanos != receivedNanos + lifetimeSeconds * NANOS_PER_SECOND;
    }

    /** Returns whether the last tenth of the lifetime has begun; false for short lifetimes. */
    public boolean isNearExpiry(long nowNanos) {
        return lifetimeSeconds >= MIN_PREFETCHED_SECONDS
                && ageSeconds(nowNanos) >= lifetimeSeconds - lifetimeSeconds / 10;
    }

    /** Time for which the answer may be served: its lowest TTL; 0 if it must not be cached. */
    public int lifetimeSeconds() {
        return lifetimeSeconds;
    }

    /**
     * Returns the verdict about the names and addresses in the answer ({@link AnswerEvaluator}). The verdict was
     * computed when the answer was cached.
     *
     * @param view the view of the client
     */
    public long verdict(int view) {
        return verdicts.verdict(view);
    }

    /** Whether the answer was filtered by the rule set with this id, or contains nothing to filter. */
    public boolean isFilteredBy(int rules) {
        return isFailure() || verdicts.ruleSetId() == rules;
    }

    /** Returns whether the answer was validated, and all its signatures are valid. */
    public boolean isSecure() {
        return secure;
    }

    /** The reason for a bogus validation result; null for other answers. */
    public @Nullable EdnsError error() {
        return error;
    }

    /**
     * Returns the scope as a number of leading bits of the queried network; 0 if the answer is valid for all clients,
     * {@link ClientSubnet#UNKNOWN_SCOPE} if the scope is unknown.
     */
    public int scope() {
        return scope;
    }

    public Kind kind() {
        return kind;
    }

    public boolean isFailure() {
        return kind == Kind.FAILURE;
    }

    public int rcode() {
        return rcode;
    }

    /** Returns the number of records in the answer section. */
    public int answerCount() {
        return answerCount;
    }

    /** Returns the number of records in the authority section. */
    public int authorityCount() {
        return authorityCount;
    }

    /** Returns the estimated heap size of this entry in bytes. */
    int retainedBytes() {
        return SHALLOW_BYTES + VERDICTS_BYTES + verdicts.retainedBytes() + ARRAY_HEADER_BYTES + (bytes.length + 7 & ~7);
    }
}
