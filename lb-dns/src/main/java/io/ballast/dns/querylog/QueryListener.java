package io.ballast.dns.querylog;

/** Receives answered queries, on the log's thread. Must return quickly. */
@FunctionalInterface
public interface QueryListener {
    void onAnswer(AnsweredQuery query);

    /** Called when the privacy settings have become stricter; discards all received queries. */
    default void clear() {}
}
