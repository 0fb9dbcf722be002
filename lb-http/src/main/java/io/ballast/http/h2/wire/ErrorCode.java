package io.ballast.http.h2.wire;

/** Why a stream or a connection is ended (RFC 9113 section 7). The number on the wire is the ordinal. */
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

    /** The name of the code with this number on the wire, or the number itself if it has no name. */
    public static String name(int code) {
        return code >= 0 && code < ALL.length ? ALL[code].name() : Integer.toUnsignedString(code);
    }
}
