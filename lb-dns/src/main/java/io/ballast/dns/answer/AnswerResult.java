package io.ballast.dns.answer;

/** The outcome of a query. It is separate from the response length, so the length needs no special values. */
public enum AnswerResult {
    /** A response is in the buffer. */
    RESPONSE,
    /** No response must be sent. */
    NO_RESPONSE,
    /** The response is sent later, over the reply path of the deferral. */
    DEFERRED
}
