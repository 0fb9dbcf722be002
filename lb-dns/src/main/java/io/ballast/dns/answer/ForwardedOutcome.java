package io.ballast.dns.answer;

import io.ballast.dns.querylog.Outcome;

/** What became of a query for a name outside the zones, at the stage that decided. */
enum ForwardedOutcome {
    /** Answered out of the cache. */
    HIT(Outcome.HIT),
    /** Answered out of the cache by what was true some time ago. */
    STALE(Outcome.STALE),
    /** Handed over to the event loop that asks a resolver: {@link LateAnswers} sends the response. */
    MISS(Outcome.MISS),
    /** A rule blocks the name, or what its kept answer leads to. */
    BLOCKED(Outcome.BLOCKED),
    /** Answered by hand. */
    REWRITTEN(Outcome.REWRITTEN),
    /** The client may not ask, or too many queries wait. */
    REFUSED(Outcome.REFUSED),
    /** No resolver has answered, and nothing is known. */
    FAILED(Outcome.FAILED);

    private final Outcome logged;

    ForwardedOutcome(Outcome logged) {
        this.logged = logged;
    }

    /** As it is logged. */
    Outcome logged() {
        return logged;
    }
}
