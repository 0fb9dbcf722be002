package io.ballast.http.config;

/** How routing handles a path with a character that only some backends read as a slash. */
public enum SlashRule {
    /**
     * Routing evaluates the path with and without treating the character as a slash. The request is forwarded if
     * both lead to the same route; otherwise it is answered with 400.
     */
    CHECK,
    /** Routing does not treat a character such as {@code %2F} or a backslash as a slash. */
    PASS,
    /** The request is answered with 400. */
    REJECT,
    /** Routing treats the character as a slash. */
    DECODE
}
