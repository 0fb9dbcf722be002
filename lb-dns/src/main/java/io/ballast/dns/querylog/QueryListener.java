package io.ballast.dns.querylog;

/** Receives answered queries, on the log's thread. Must return quickly. */
@FunctionalInterface
public interface QueryListener {
    void onAnswer(AnsweredQuery query);

    /** Discards all received queries, after the privacy settings became stricter. */
    default void clear() {}
}
