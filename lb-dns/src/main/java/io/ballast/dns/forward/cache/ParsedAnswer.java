package io.ballast.dns.forward.cache;

/** The result of reading a response of a resolver. */
public sealed interface ParsedAnswer {

    /**
     * An answer, which may be given to askers. It is worth keeping only if its lifetime is not 0.
     *
     * @param rcode the response code of the message, which the answer has only if it means something to askers
     * @param dropped how many records were left out because they do not belong to the question
     */
    record Taken(CacheEntry answer, int rcode, int dropped) implements ParsedAnswer {}

    /** The reason why there is none. */
    enum Refused implements ParsedAnswer {
        /** It is no response to the question, or breaks the wire format. */
        MALFORMED,
        /** The TC bit is set: the whole answer must be fetched over TCP. */
        TRUNCATED,
        /**
         * Its aliases lead in a circle, or are more than {@value Bailiwick#MAX_ALIASES}: so does the zone that has
         * them.
         */
        ALIAS_LOOP,
        /**
         * It refers to other servers instead of answering, or comes from a server that offers no recursion and knows
         * nothing.
         */
        LAME
    }
}
