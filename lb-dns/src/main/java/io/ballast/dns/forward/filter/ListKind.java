package io.ballast.dns.forward.filter;

/** What the rules of a list do. */
public enum ListKind {

    /** Each blocks or allows, as it says. */
    BLOCK,

    /** All of them allow. */
    ALLOW
}
