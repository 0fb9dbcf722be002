package io.ballast.dns.forward.filter;

/** The effect of the rules of a list. */
public enum ListKind {

    /** Each rule blocks or allows by its own notation. */
    BLOCK,

    /** All rules allow. */
    ALLOW
}
