package io.ballast.dns.answer;

import io.ballast.core.stats.Counters;
import io.ballast.dns.forward.cache.AnswerAppender;
import io.ballast.dns.forward.cache.KeptAnswer;
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
 * Writes the response to one query for a name outside the zones, or that aliases lead to. It is counted by who sends it.
 *
 * <p>Thread safety: confined to one thread. Cost: allocates nothing once it has been used.
 */
final class ForwardedResponse {

    private final Query query;
    private final Counters.Shard<DnsCounter> counters;
    private final InsteadWriter instead;
    private @Nullable AnswerAppender appender;
    private @Nullable AliasChain chain;

    /** @param query parsed, with its OPT record settled, before anything is written */
    ForwardedResponse(Query query, Counters.Shard<DnsCounter> counters) {
        this.query = query;
        this.counters = counters;
        this.instead = new InsteadWriter(query);
    }

    /** What is said from now on is about the name that these aliases lead to; null for the name of the query. */
    void behind(@Nullable AliasChain aliases) {
        chain = aliases;
    }

    /** Gives what a resolver has said lately; returns the length of the response. */
    int fresh(KeptAnswer answer, byte[] out, int limit, long nowNanos) {
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

    /** Gives what a resolver has said some time ago. */
    int stale(KeptAnswer answer, byte[] out, int limit) {
        counters.increment(DnsCounter.FORWARD_STALE);
        boolean isDenied = answer.rcode() == Rcode.NXDOMAIN;
        query.opt().error(isDenied ? EdnsError.STALE_NXDOMAIN : EdnsError.STALE_ANSWER);
        AliasChain aliases = chain;
        return aliases == null
                ? answer.writeStale(query, out, limit, KeptAnswer.STALE_TTL_SECONDS)
                : append(aliases, answer, /* isStale= */ true, out, limit, /* nowNanos= */ 0);
    }

    /** AA is that of the first name, as in RFC 1035; AD is not set, since the aliases were not checked. */
    private int append(AliasChain aliases, KeptAnswer answer, boolean isStale, byte[] out, int limit, long nowNanos) {
        int begin = Response.begin(query, out);
        int most = limit - query.opt().bytes();
        int flags = Response.RECURSION_AVAILABLE | aliases.flags() | echoed();
        if (aliases.end() > most) {
            Response.header(query, out, flags | Response.TRUNCATED, answer.rcode());
            return Response.end(query, out, begin, /* additional= */ 0, answer.rcode());
        }
        AnswerAppender records = appender();
        int end = records.append(
                answer, isStale, nowNanos, out, aliases.write(out), most, aliases.targetAt(), aliases.targetBytes());
        Response.header(query, out, records.isTruncated() ? flags | Response.TRUNCATED : flags, answer.rcode());
        Wire.putU16(out, 6, aliases.answers() + records.answers());
        Wire.putU16(out, 8, records.authority());
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

    private int echoed() {
        return query.isCheckingDisabled() ? Response.CHECKING_DISABLED : 0;
    }

    /**
     * Says for which networks an answer is, if the client has told one.
     *
     * @param isAsTold whether its network is the one that resolvers were told; else nothing is said of more than that
     */
    void scope(KeptAnswer answer, boolean isAsTold) {
        EdnsSubnet told = query.edns().subnet();
        int scope = answer.scope();
        if (scope != 0 && told.isPresent()) {
            boolean isKnown = isAsTold && scope != ClientSubnet.UNSHARED;
            int aliases = chain == null ? 0 : chain.scope();
            query.opt().scope(Math.max(aliases, isKnown ? scope : told.sourceBits()));
        }
    }

    int fail(byte[] out, int rcode, EdnsError why) {
        query.opt().error(why);
        return code(out, rcode);
    }

    private int code(byte[] out, int rcode) {
        int at = Response.begin(query, out);
        Response.header(query, out, Response.RECURSION_AVAILABLE | echoed(), rcode);
        return Response.end(query, out, at, /* additional= */ 0, rcode);
    }

    /** Gives the aliases alone. */
    int aliases(AliasChain aliases, byte[] out, int limit) {
        query.opt().error(EdnsError.FORGED);
        return instead.aliases(aliases, out, limit);
    }

    /** Gives what is said instead of the truth: of all that is made by hand or said by resolvers, but not of what a zone says. */
    int instead(AnswerChoice choice, EdnsError why, byte[] out, int limit) {
        query.opt().error(why);
        return local(choice, out, limit);
    }

    /** Likewise, without an extended error: for names that nobody else answers either. */
    int local(AnswerChoice choice, byte[] out, int limit) {
        AliasChain aliases = chain;
        return instead.write(choice, aliases == null || aliases.isOfZone() ? aliases : null, out, limit);
    }
}
