package io.ballast.http.head;

/**
 * The reason why a head is rejected. The status is that of the response to a client that sent the head. A malformed
 * head from a backend always causes status 502.
 */
public enum HeadError {
    /** The client used the wrong protocol on this port; the request head itself may be valid. */
    PLAIN_HTTP(400, "plain HTTP was sent to a port that speaks HTTPS; use https://"),
    TLS_WITHOUT_TLS(400, "TLS was sent to a port that speaks plain HTTP; use http://"),
    MALFORMED_REQUEST_LINE(400, "malformed request line"),
    MALFORMED_STATUS_LINE(400, "malformed status line"),
    UNSUPPORTED_VERSION(505, "unsupported HTTP version"),
    UNSUPPORTED_METHOD(501, "unsupported method"),
    REQUEST_LINE_TOO_LONG(414, "request line too long"),
    HEADER_TOO_LONG(431, "header too long"),
    HEAD_TOO_LONG(431, "head too long"),
    TOO_MANY_HEADERS(431, "too many headers"),
    MALFORMED_HEADER(400, "malformed header line"),
    MISSING_COLON(400, "header line without a colon"),
    BLANK_AROUND_VALUE(400, "whitespace at the beginning or end of a header value"),
    FOR_ONE_CONNECTION(400, "header that HTTP/2 does not allow"),
    MALFORMED_PSEUDO_HEADER(400, "missing, repeated, misplaced or malformed pseudo-header"),
    WRONG_BODY_LENGTH(400, "body length differs from Content-Length"),
    BARE_LINE_END(400, "bare CR or LF"),
    CONTROL_CHARACTER(400, "control character in a header"),
    FOLDED_HEADER(400, "folded header line"),
    UNDERSCORE(400, "underscore in a header name"),
    MISSING_HOST(400, "missing Host"),
    DUPLICATE_HOST(400, "more than one Host"),
    MALFORMED_HOST(400, "malformed Host"),
    MALFORMED_TARGET(400, "malformed request target"),
    AMBIGUOUS_PATH(400, "encoded slash or backslash in the path, which backends may interpret differently"),
    MALFORMED_CONTENT_LENGTH(400, "malformed Content-Length"),
    DUPLICATE_CONTENT_LENGTH(400, "more than one Content-Length"),
    LENGTH_AND_TRANSFER_ENCODING(400, "both Content-Length and Transfer-Encoding"),
    MALFORMED_TRANSFER_ENCODING(400, "malformed Transfer-Encoding"),
    UNKNOWN_TRANSFER_ENCODING(501, "unknown transfer coding"),
    TRANSFER_ENCODING_IN_HTTP_1_0(400, "Transfer-Encoding in HTTP/1.0"),
    MALFORMED_CHUNK(400, "malformed chunk"),
    FORBIDDEN_TRAILER(400, "field that is not allowed as a trailer"),
    TRAILERS_TOO_LONG(431, "trailers too long");

    public final int status;
    public final String text;

    HeadError(int status, String text) {
        this.status = status;
        this.text = text;
    }
}
