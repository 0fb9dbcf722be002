package io.ballast.http.h2.wire;

/** Error codes of streams and connections (RFC 9113 section 7). The number on the wire is the ordinal. */
public enum ErrorCode {
    NO_ERROR,
    PROTOCOL_ERROR,
    INTERNAL_ERROR,
    FLOW_CONTROL_ERROR,
    SETTINGS_TIMEOUT,
    STREAM_CLOSED,
    FRAME_SIZE_ERROR,
    REFUSED_STREAM,
    CANCEL,
    COMPRESSION_ERROR,
    CONNECT_ERROR,
    ENHANCE_YOUR_CALM,
    INADEQUATE_SECURITY,
    HTTP_1_1_REQUIRED;

    private static final ErrorCode[] ALL = values();

    /** Returns the name of an error code; for an unknown code, its number. */
    public static String name(int code) {
        return code >= 0 && code < ALL.length ? ALL[code].name() : Integer.toUnsignedString(code);
    }
}
