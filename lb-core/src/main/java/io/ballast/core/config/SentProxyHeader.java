package io.ballast.core.config;

/** The PROXY protocol header of connections to backends, if any, and its version. */
public enum SentProxyHeader {
    NONE,
    /** Version 1: a line of text. */
    V1,
    /** Version 2: a binary header. */
    V2
}
