package io.ballast.http.head;

/** The ways to delimit a body (RFC 9112 section 6.3). */
public enum BodyFraming {
    NONE,
    LENGTH,
    CHUNKED,
    UNTIL_CLOSE,
    /** The protocols on both sides, such as HTTP/2, have their own way to mark the end of the body. */
    STREAM
}
