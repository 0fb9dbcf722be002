package io.ballast.dns.forward;

/**
 * Supplies the reply path of the current query if its answer is deferred.
 *
 * <p>Thread safety: confined to the thread that answers the query.
 */
@FunctionalInterface
public interface Deferral {

    /**
     * Defers the current query and returns the path for its reply. Called at most once per query, before the
     * answer would otherwise be sent.
     */
    ReplyPath defer();
}
