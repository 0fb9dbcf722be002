package io.ballast.http.head;

/** How the end of a body is known (RFC 9112 section 6.3). */
public enum BodyFraming {
    NONE,
    LENGTH,
    CHUNKED,
    UNTIL_CLOSE,
    /** Its end is told by the protocols of both sides. */
    STREAM
}
