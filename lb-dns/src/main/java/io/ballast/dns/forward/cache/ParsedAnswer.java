package io.ballast.dns.forward.cache;

/** The result of parsing a response from a resolver. */
public sealed interface ParsedAnswer {

    /**
     * An answer for clients. It is cached only if its lifetime is not 0.
     *
     * @param rcode the response code of the message; the answer has the same code only if the code is useful to clients
     * @param dropped how many records were dropped because they do not belong to the question
     */
    record Taken(CacheEntry answer, int rcode, int dropped) implements ParsedAnswer {}

    /** The reason why a response was rejected. */
    enum Refused implements ParsedAnswer {
        /** The message is not a response to the question, or violates the wire format. */
        MALFORMED,
        /** The TC bit is set: the whole answer must be fetched over TCP. */
        TRUNCATED,
        /**
         * The aliases form a loop, or there are more than {@value Bailiwick#MAX_ALIASES}. The data of the zone cause
         * this error.
         */
        ALIAS_LOOP,
        /**
         * The response is a referral to other servers instead of an answer, or comes from a server that offers no
         * recursion and has no data.
         */
        LAME
    }
}
