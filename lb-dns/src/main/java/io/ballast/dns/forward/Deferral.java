package io.ballast.dns.forward;

/**
 * Supplies the reply path of the current query if its answer is deferred.
 *
 * <p>Thread safety: confined to the thread that answers.
 */
@FunctionalInterface
public interface Deferral {

    /**
     * Defers the current query and keeps its return address. Called at most once for a query, before its answer would be sent.
     */
    ReplyPath defer();
}
