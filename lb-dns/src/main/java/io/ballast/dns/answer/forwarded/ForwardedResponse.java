package io.ballast.dns.answer.forwarded;

import io.ballast.core.stats.Counters;
import io.ballast.dns.answer.AliasChain;
import io.ballast.dns.forward.cache.AnswerAppender;
import io.ballast.dns.forward.cache.CacheEntry;
import io.ballast.dns.forward.filter.AnswerChoice;
import io.ballast.dns.forward.question.ClientSubnet;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.EdnsError;
import io.ballast.dns.wire.EdnsSubnet;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.Response;
import io.ballast.dns.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * Writes the response to one query for a name outside the zones, or for an alias target outside the zones.
 * The code that sends the response counts it.
 *
 * <p>Thread safety: confined to one thread. Cost: allocates nothing after its first use.
 */
final class ForwardedResponse {

    private final Query query;
    private final Counters.Shard<DnsCounter> counters;
    private final SyntheticAnswerWriter syntheticWriter;
    private @Nullable AnswerAppender appender;
    private @Nullable AliasChain chain;

    /** @param query parsed query, whose OPT record must be complete before a response is written */
    ForwardedResponse(Query query, Counters.Shard<DnsCounter> counters) {
        this.query = query;
        this.counters = counters;
        this.syntheticWriter = new SyntheticAnswerWriter(query);
    }

    /** Sets the alias chain that precedes the records of the following responses; null if there is no chain. */
    void setAliases(@Nullable AliasChain aliases) {
        chain = aliases;
    }

    /** Writes a fresh answer from a resolver; returns the length of the response. */
    int writeFresh(CacheEntry answer, byte[] out, int limit, long nowNanos) {
        EdnsError why = answer.error();
        if (why != null) {
            query.opt().error(why);
        }
        AliasChain aliases = chain;
        if (aliases == null) {
            return answer.write(query, out, limit, answer.ageSeconds(nowNanos));
        }
        return answer.isFailure()
                ? code(out, Rcode.SERVFAIL)
                : append(aliases, answer, /* isStale= */ false, out, limit, nowNanos);
    }

    /** Writes a stale answer from a resolver; returns the length of the response. */
    int writeStale(CacheEntry answer, byte[] out, int limit) {
        counters.increment(DnsCounter.FORWARD_STALE);
        boolean isDenied = answer.rcode() == Rcode.NXDOMAIN;
        query.opt().error(isDenied ? EdnsError.STALE_NXDOMAIN : EdnsError.STALE_ANSWER);
        AliasChain aliases = chain;
        return aliases == null
                ? answer.writeStale(query, out, limit, CacheEntry.STALE_TTL_SECONDS)
                : append(aliases, answer, /* isStale= */ true, out, limit, /* nowNanos= */ 0);
    }

    /**
     * Writes the aliases, followed by a resolver's answer for the last alias target. The AA bit applies to the first
     * name (RFC 1035), so its value is the same as for the aliases alone. AD is not set, because the aliases were not
     * validated.
     */
    private int append(AliasChain aliases, CacheEntry answer, boolean isStale, byte[] out, int limit, long nowNanos) {
        int begin = Response.begin(query, out);
        int max = limit - query.opt().bytes();
        int flags = Response.RECURSION_AVAILABLE | aliases.flags() | echoedFlags();
        if (aliases.end() > max) {
            Response.writeHeader(query, out, flags | Response.TRUNCATED, answer.rcode());
            return Response.end(query, out, begin, /* additional= */ 0, answer.rcode());
        }
        AnswerAppender records = appender();
        int end = records.append(
                answer, isStale, nowNanos, out, aliases.write(out), max, aliases.targetAt(), aliases.targetBytes());
        Response.writeHeader(query, out, records.isTruncated() ? flags | Response.TRUNCATED : flags, answer.rcode());
        Wire.putU16(out, 6, aliases.answers() + records.answerCount());
        Wire.putU16(out, 8, records.authorityCount());
        return Response.end(query, out, end, /* additional= */ 0, answer.rcode());
    }

    private AnswerAppender appender() {
        AnswerAppender present = appender;
        if (present == null) {
            present = new AnswerAppender();
            appender = present;
        }
        return present;
    }

    private int echoedFlags() {
        return query.isCheckingDisabled() ? Response.CHECKING_DISABLED : 0;
    }

    /**
     * Sets the ECS scope of an answer, if the client has sent a subnet.
     *
     * @param isSubnetOfQuery whether resolvers got the subnet that the client sent; if not, the scope is at least the
     *     client's prefix length
     */
    void scope(CacheEntry answer, boolean isSubnetOfQuery) {
        EdnsSubnet subnet = query.edns().subnet();
        int scope = answer.scope();
        if (scope != 0 && subnet.isPresent()) {
            boolean isKnown = isSubnetOfQuery && scope != ClientSubnet.UNKNOWN_SCOPE;
            int aliases = chain == null ? 0 : chain.scope();
            query.opt().scope(Math.max(aliases, isKnown ? scope : subnet.sourceBits()));
        }
    }

    int fail(byte[] out, int rcode, EdnsError why) {
        query.opt().error(why);
        return code(out, rcode);
    }

    private int code(byte[] out, int rcode) {
        int at = Response.begin(query, out);
        Response.writeHeader(query, out, Response.RECURSION_AVAILABLE | echoedFlags(), rcode);
        return Response.end(query, out, at, /* additional= */ 0, rcode);
    }

    /** Writes a response with only the aliases. */
    int aliases(AliasChain aliases, byte[] out, int limit) {
        query.opt().error(EdnsError.FORGED);
        return syntheticWriter.aliases(aliases, out, limit);
    }

    /**
     * Writes a filter answer. If the alias chain starts in a zone, the answer follows that chain; a chain that
     * starts with a rule or a resolver is omitted.
     */
    int writeSynthetic(AnswerChoice choice, EdnsError why, byte[] out, int limit) {
        query.opt().error(why);
        return local(choice, out, limit);
    }

    /**
     * Like {@link #writeSynthetic(AnswerChoice, EdnsError, byte[], int)}, but without an extended error. Used for
     * special-use names.
     */
    int local(AnswerChoice choice, byte[] out, int limit) {
        AliasChain aliases = chain;
        return syntheticWriter.write(choice, aliases == null || aliases.startsInZone() ? aliases : null, out, limit);
    }
}
