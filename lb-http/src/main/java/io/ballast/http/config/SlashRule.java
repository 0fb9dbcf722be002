package io.ballast.http.config;

/** What happens to a path with a character that some backends read as a slash and others do not. */
public enum SlashRule {
    /** Passed on if both readings lead to the same route; else answered with 400. */
    CHECK,
    /** Never a slash when routes are compared. */
    PASS,
    /** Answered with 400. */
    REJECT,
    /** A slash when routes are compared. */
    DECODE
}
