package io.ballast.dns.answer;

import io.ballast.dns.forward.Deferral;
import io.ballast.dns.querylog.Decision;
import io.ballast.dns.wire.Query;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries for names outside the zones, and those whose names aliases lead out of them from.
 *
 * <p>Thread safety: confined to one thread.
 */
@FunctionalInterface
public interface NamesElsewhere {

    /**
     * Answers the query in hand, or keeps the way back to its client and answers later. What is answered at once is counted by the
     * caller, by its code; what is answered later, by who answers.
     *
     * @param query valid until this returns, like {@code client}
     * @param out takes the response
     * @param limit most octets of the response
     * @param deferral of which the way back is taken if, and only if, the answer comes later
     * @return length of the response; 0 if there must be none; {@link Answerer#DEFERRED} if it comes later
     */
    int answer(Query query, Client client, byte[] out, int limit, Transport transport, Deferral deferral);

    /**
     * Likewise, where aliases of a zone lead to such a name: what is known of that stands behind them.
     *
     * @param aliases valid until this returns
     * @return also {@link Answerer#LEFT} if the aliases are all that the client gets; then nothing has been written
     */
    default int follow(
            AliasChain aliases,
            Query query,
            Client client,
            byte[] out,
            int limit,
            Transport transport,
            Deferral deferral) {
        return Answerer.LEFT;
    }

    /** How the query was answered that was answered last, until the next; null if that is not told. */
    default @Nullable Decision decision() {
        return null;
    }
}
