package io.ballast.dns.forward;

/**
 * What brought the query in hand, if its answer has to come later.
 *
 * <p>Thread safety: confined to the thread that answers.
 */
@FunctionalInterface
public interface Deferral {

    /** Keeps the way back to who asked the query in hand. Called at most once for a query, before its answer would leave. */
    ReplyPath defer();
}
