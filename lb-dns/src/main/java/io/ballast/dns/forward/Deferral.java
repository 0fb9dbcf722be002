package io.ballast.dns.forward;

/**
 * Supplies the reply path of the current query if its answer is deferred.
 *
 * <p>Thread safety: confined to the thread that answers.
 */
@FunctionalInterface
public interface Deferral {

    /** Keeps the way back to who asked the query in hand. Called at most once for a query, before its answer would leave. */
    ReplyPath defer();
}
