package io.ballast.core.config;

/** Whether connections to backends begin with a header of the PROXY protocol, and of which version. */
public enum SentProxyHeader {
    NONE,
    /** A line of text. */
    V1,
    /** Binary. */
    V2
}
