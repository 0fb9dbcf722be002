package io.ballast.dns.querylog;

/** The outcome of a query. */
public enum Outcome {
    AUTHORITY,
    HIT,
    STALE,
    MISS,
    BLOCKED,
    REWRITTEN,
    REFUSED,
    FAILED
}
