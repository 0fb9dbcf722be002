package io.ballast.dns.querylog;

/** Told of answered queries, on the log's thread. Must return soon. */
@FunctionalInterface
public interface QueryListener {
    void answered(AnsweredQuery query);

    /** Has to forget what it was told so far: as much may not be known any more. */
    default void forget() {}
}
