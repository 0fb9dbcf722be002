package io.ballast.dns.answer;

/** The outcome of a query. The length of the response is returned separately, see {@link Answerer#responseLength}. */
public enum AnswerResult {
    /** A response is in the buffer. */
    RESPONSE,
    /** No response must be sent. */
    NO_RESPONSE,
    /** The response is sent later, over the reply path of the deferral. */
    DEFERRED
}
