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
public interface NonLocalResolver {

    /**
     * Answers the query immediately, or defers it and answers later through a {@code ReplyPath}. The caller counts an
     * immediate answer by its response code; the code that sends a deferred answer counts that answer.
     *
     * @param query the parsed query; valid until this method returns, like {@code client}
     * @param out buffer for the response
     * @param limit maximum size of the response in bytes
     * @param deferral callback that creates the reply path; called if and only if the answer is deferred
     * @return after {@link AnswerResult#RESPONSE}, {@link #responseLength} is the length of the response
     */
    AnswerResult answer(Query query, Client client, byte[] out, int limit, Transport transport, Deferral deferral);

    /** Returns the length of the last response in bytes. It is valid until the next query. */
    int responseLength();

    /**
     * Returns whether this resolver resolves alias targets for the client. If so, the caller may next call {@link
     * #answerAliasTarget} for a query of this client; otherwise, the client gets only the aliases.
     */
    default boolean resolvesAliasTargets(Client client) {
        return false;
    }

    /**
     * Like {@link #answer}, for the final target of a CNAME chain that starts in a zone. The response starts with the
     * aliases. The preceding call of {@link #resolvesAliasTargets}, for the same client, returned true.
     *
     * @param aliases the alias chain; valid until this method returns
     */
    default AnswerResult answerAliasTarget(
            AliasChain aliases,
            Query query,
            Client client,
            byte[] out,
            int limit,
            Transport transport,
            Deferral deferral) {
        throw new UnsupportedOperationException("this resolver does not resolve alias targets");
    }

    /** The decision about the last query; valid until the next query. Null if the query is not logged. */
    default @Nullable Decision decision() {
        return null;
    }
}
