package io.ballast.core.config;

import io.ballast.core.Checks;

/**
 * Limits on response heads from a backend. A head that exceeds them is a bad response (502), because the
 * client must not receive data that was not checked.
 *
 * @param statusLineBytes longest status line without its line terminator
 * @param headerBytes longest single header line
 * @param headBytes longest head, including the status line; an event loop keeps a buffer as large as the
 *     longest head it has received
 * @param headers maximum number of header lines
 */
public record ResponseLimits(int statusLineBytes, int headerBytes, int headBytes, int headers) {

    public static final int MIN_LINE_BYTES = 64;
    public static final int MIN_HEAD_BYTES = 256;
    public static final int MAX_HEAD_BYTES = 1024 * 1024;
    public static final int MAX_HEADERS = 10_000;

    /** The default limits. Backends are trusted more than clients, but not completely. */
    public static final ResponseLimits DEFAULT = new ResponseLimits(8 * 1024, 64 * 1024, 64 * 1024, 500);

    public ResponseLimits {
        Checks.between(statusLineBytes, MIN_LINE_BYTES, MAX_HEAD_BYTES, "status_line");
        Checks.between(headerBytes, MIN_LINE_BYTES, MAX_HEAD_BYTES, "header");
        Checks.between(headBytes, MIN_HEAD_BYTES, MAX_HEAD_BYTES, "head");
        Checks.between(headers, 1, MAX_HEADERS, "headers");
    }
}
