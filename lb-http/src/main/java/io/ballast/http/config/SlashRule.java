package io.ballast.http.config;

/** The treatment of a path with a character that only some backends read as a slash. */
public enum SlashRule {
    /** Forwarded if both readings lead to the same route; else answered with 400. */
    CHECK,
    /** Routing does not treat the character as a slash. */
    PASS,
    /** Answered with 400. */
    REJECT,
    /** Routing treats the character as a slash. */
    DECODE
}
