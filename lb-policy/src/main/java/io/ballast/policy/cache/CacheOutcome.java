package io.ballast.policy.cache;

import io.ballast.core.stats.LabelledCounter;

/** The ways in which a cache handles requests and responses. */
enum CacheOutcome implements LabelledCounter {
    /** Answered with a fresh stored response, possibly after waiting for another request. */
    HIT("hit"),
    /** Answered with a stale response, during its revalidation or because the backend has failed. */
    STALE("stale"),
    /** Answered with a stored response that the backend has confirmed. */
    REVALIDATED("revalidated"),
    /** Forwarded, because no stored response could be used. */
    MISS("miss"),
    /** Forwarded without a lookup, for example because the request contains credentials. */
    BYPASS("bypass"),
    /** The backend's response to a miss was not stored. */
    UNCACHEABLE("uncacheable"),
    /** The backend's response was stored. */
    STORED("stored"),
    /** The request was forwarded because it waited too long, or too many requests were waiting. */
    UNCOORDINATED("uncoordinated"),
    /** Answered with 504, because the client accepts only a stored response. */
    ONLY_IF_CACHED("only_if_cached");

    private final String label;

    CacheOutcome(String label) {
        this.label = label;
    }

    @Override
    public String label() {
        return label;
    }
}
