package io.ballast.dns.forward.cache;

/** What came of reading an upstream's message. */
public sealed interface ReadAnswer {

    /**
     * An answer, which may be given to askers. It is worth keeping only if its lifetime is not 0.
     *
     * @param dropped how many records were left out because they do not belong to the question
     */
    record Taken(KeptAnswer answer, int dropped) implements ReadAnswer {}

    /** Why there is none. */
    enum Refused implements ReadAnswer {
        /** It is no response to the question, or breaks the wire format, or its aliases lead in a circle. */
        MALFORMED,
        /** Its TC bit is set: the whole answer comes by TCP. */
        TRUNCATED
    }
}
