package io.ballast.http.config;

/** How routing handles a path with a character that only some backends read as a slash. */
public enum SlashRule {
    /**
     * The request is forwarded if both readings of the path lead to the same route; otherwise it is answered with
     * 400.
     */
    CHECK,
    /** Routing does not treat the character as a slash. */
    PASS,
    /** The request is answered with 400. */
    REJECT,
    /** Routing treats the character as a slash. */
    DECODE
}
