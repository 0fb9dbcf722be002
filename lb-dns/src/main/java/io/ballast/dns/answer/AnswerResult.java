package io.ballast.dns.answer;

/** How a query was answered. The length of a response is a separate value, so it always is a length. */
public enum AnswerResult {
    /** A response is in the buffer. */
    RESPONSE,
    /** No response must be sent. */
    NO_RESPONSE,
    /** The response is sent later, over the reply path of the deferral. */
    DEFERRED
}
