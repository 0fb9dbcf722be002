package io.ballast.http.policy;

/**
 * The kinds of policies, in the order in which they are evaluated. The order is fixed, independent of the order in the
 * configuration. For example, a limit by client always applies before an expensive check of a password.
 */
public enum Phase {
    /** Headers of all responses, including the refusals of later policies. */
    RESPONSE_HEADERS,
    /** Lists of allowed and denied client addresses. */
    ADDRESS,
    TRACING,
    /** Limits whose key does not depend on authentication. */
    CLIENT_LIMIT,
    /** Answers to CORS preflight requests, which carry no credentials. */
    PREFLIGHT,
    IDENTITY,
    /** Limits whose key is set by authentication. */
    IDENTITY_LIMIT,
    CONCURRENCY,
    CACHE,
    FILTER,
    /** Copies of the request for another pool. */
    MIRROR,
    /** Changes of the response, such as compression; they decide nothing about the request. */
    RESPONSE
}
