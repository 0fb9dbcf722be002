package io.ballast.dns.forward.filter;

/** The kind of a list: determines whether its rules block or allow names. */
public enum ListKind {

    /** Each rule blocks or allows names, depending on its syntax. */
    BLOCK,

    /** All rules allow names. */
    ALLOW
}
