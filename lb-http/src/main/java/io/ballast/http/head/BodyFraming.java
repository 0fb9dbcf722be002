package io.ballast.http.head;

/** The ways to delimit a body (RFC 9112 section 6.3). */
public enum BodyFraming {
    NONE,
    LENGTH,
    CHUNKED,
    UNTIL_CLOSE,
    /** Delimited by the protocols of both sides. */
    STREAM
}
