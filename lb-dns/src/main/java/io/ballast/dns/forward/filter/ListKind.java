package io.ballast.dns.forward.filter;

/** Each rule blocks or allows names, depending on its syntax. */
public enum ListKind {

    /** Each rule blocks or allows, as its own syntax says. */
    BLOCK,

    /** All rules allow names. */
    ALLOW
}
