package io.ballast.dns.answer;

/** What became of a query for a name outside the zones, at the stage that decided. */
enum ForwardedOutcome {
    /** Answered out of the cache. */
    HIT,
    /** Answered out of the cache by what was true some time ago. */
    STALE,
    /** Handed over to the event loop that asks a resolver: {@link LateAnswers} sends the response. */
    MISS,
    /** A rule blocks the name, or what its kept answer leads to. */
    BLOCKED,
    /** Answered by hand. */
    REWRITTEN,
    /** The client may not ask, or too many queries wait. */
    REFUSED,
    /** No resolver has answered, and nothing is known. */
    FAILED
}
