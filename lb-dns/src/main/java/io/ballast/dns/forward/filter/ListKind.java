package io.ballast.dns.forward.filter;

/** The kind of a list: determines whether its rules block or allow names. */
public enum ListKind {

    /** Each rule blocks or allows names, depending on its syntax. */
    BLOCK,

    /** A list whose rules all allow names. */
    ALLOW
}
