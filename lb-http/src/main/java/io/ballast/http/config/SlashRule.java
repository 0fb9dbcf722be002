package io.ballast.http.config;

/** The treatment of a path with a character that only some backends read as a slash. */
public enum SlashRule {
    /** Forwarded if both readings lead to the same route; else answered with 400. */
    CHECK,
    /** Never a slash when routes are compared. */
    PASS,
    /** Answered with 400. */
    REJECT,
    /** A slash when routes are compared. */
    DECODE
}
