package io.ballast.dns.answer.forwarded;

import io.ballast.dns.querylog.Outcome;

/** The outcome of a query for a name outside the zones, set by the stage that ended the query. */
enum ForwardedOutcome {
    /** The query was answered from the cache. */
    HIT(Outcome.HIT),
    /** The query was answered from the cache with stale data. */
    STALE(Outcome.STALE),
    /**
     * The query was passed to the event loop that queries a resolver; {@link DeferredReplies} sends the response.
     */
    MISS(Outcome.MISS),
    /** Blocked by a rule, because of the name or of the cached answer. */
    BLOCKED(Outcome.BLOCKED),
    /** Answered by a rewrite rule. */
    REWRITTEN(Outcome.REWRITTEN),
    /** Refused: the client is not allowed, or too many queries are pending. */
    REFUSED(Outcome.REFUSED),
    /** No resolver answered, and the cache has no answer. */
    FAILED(Outcome.FAILED);

    private final Outcome logOutcome;

    ForwardedOutcome(Outcome logged) {
        this.logOutcome = logged;
    }

    /** Returns the outcome that the query log records for the query. */
    Outcome logOutcome() {
        return logOutcome;
    }
}
