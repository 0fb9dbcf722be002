package io.ballast.dns.answer;

import io.ballast.core.stats.Counters;
import io.ballast.dns.forward.cache.KeptAnswer;
import io.ballast.dns.forward.filter.AnswerChoice;
import io.ballast.dns.forward.question.ClientSubnet;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.EdnsError;
import io.ballast.dns.wire.EdnsSubnet;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.Response;

/**
 * Writes the response to one query for a name outside the zones. It is counted by who sends it.
 *
 * <p>Thread safety: confined to one thread. Cost: allocates nothing.
 */
final class ForwardedResponse {

    private final Query query;
    private final Counters.Shard<DnsCounter> counters;
    private final InsteadWriter instead;

    /** @param query parsed, with its OPT record settled, before anything is written */
    ForwardedResponse(Query query, Counters.Shard<DnsCounter> counters) {
        this.query = query;
        this.counters = counters;
        this.instead = new InsteadWriter(query);
    }

    /** Gives what a resolver has said lately; returns the length of the response. */
    int fresh(KeptAnswer answer, byte[] out, int limit, long nowNanos) {
        EdnsError why = answer.error();
        if (why != null) {
            query.opt().error(why);
        }
        return answer.write(query, out, limit, answer.ageSeconds(nowNanos));
    }

    /** Gives what a resolver has said some time ago. */
    int stale(KeptAnswer answer, byte[] out, int limit) {
        counters.increment(DnsCounter.FORWARD_STALE);
        boolean isDenied = answer.rcode() == Rcode.NXDOMAIN;
        query.opt().error(isDenied ? EdnsError.STALE_NXDOMAIN : EdnsError.STALE_ANSWER);
        return answer.writeStale(query, out, limit, KeptAnswer.STALE_TTL_SECONDS);
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
            query.opt().scope(isKnown ? scope : told.sourceBits());
        }
    }

    int fail(byte[] out, int rcode, EdnsError why) {
        query.opt().error(why);
        int at = Response.begin(query, out);
        int echoed = query.isCheckingDisabled() ? Response.CHECKING_DISABLED : 0;
        Response.header(query, out, Response.RECURSION_AVAILABLE | echoed, rcode);
        return Response.end(query, out, at, /* additional= */ 0, rcode);
    }

    /** Gives a CNAME record alone. */
    int alias(byte[] name, int ttlSeconds, byte[] out, int limit) {
        query.opt().error(EdnsError.FORGED);
        return instead.alias(name, ttlSeconds, out, limit);
    }

    /** Gives what is said instead of the truth. */
    int instead(AnswerChoice choice, EdnsError why, byte[] out, int limit) {
        query.opt().error(why);
        return instead.write(choice, out, limit);
    }
}
