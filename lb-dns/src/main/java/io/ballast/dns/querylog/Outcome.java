package io.ballast.dns.querylog;

/** How a query was answered. */
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
