package io.ballast.dns.answer;

import io.ballast.dns.answer.data.Client;
import io.ballast.dns.forward.Deferral;
import io.ballast.dns.querylog.Decision;
import io.ballast.dns.wire.Query;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries for names outside the zones, and for alias targets outside the zones.
 *
 * <p>Thread safety: confined to one thread.
 */
@FunctionalInterface
public interface NonLocalResolver {

    /**
     * Answers the query, or takes the reply path and answers later. The caller counts an immediate answer by its
     * response code; the code that sends a deferred answer counts that answer.
     *
     * @param query valid until this method returns, like {@code client}
     * @param out buffer for the response
     * @param limit maximum size of the response in bytes
     * @param deferral source of the reply path, which is taken if and only if the answer is deferred
     * @return length of the response; 0 if no response must be sent; {@link Answerer#DEFERRED} if it is sent
     *     later
     */
    int answer(Query query, Client client, byte[] out, int limit, Transport transport, Deferral deferral);

    /**
     * Like {@link #answer}, for the final target of a CNAME chain that starts in a zone. The response starts with
     * the aliases.
     *
     * @param aliases valid until this method returns
     * @return also {@link Answerer#ALIAS_ONLY} if the client gets only the aliases; then nothing has been written
     */
    default int answerAliasTarget(
            AliasChain aliases,
            Query query,
            Client client,
            byte[] out,
            int limit,
            Transport transport,
            Deferral deferral) {
        return Answerer.ALIAS_ONLY;
    }

    /** The decision about the last query, valid until the next one; null if it is not logged. */
    default @Nullable Decision decision() {
        return null;
    }
}
