package io.ballast.dns.forward.filter;

/** The effect of the rules of a list. */
public enum ListKind {

    /** Each rule blocks or allows, as its own syntax says. */
    BLOCK,

    /** All rules allow names. */
    ALLOW
}
