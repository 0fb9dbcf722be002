package io.ballast.policy.breaker;

/** The result of a request, as a circuit breaker counts it. */
enum RequestOutcome {
    SUCCESS,
    /** A successful response that took too long. */
    SLOW,
    FAILURE,
    /** The request says nothing about the pool, for example because the client has disconnected. */
    UNKNOWN
}
