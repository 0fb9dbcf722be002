package io.ballast.http.serving.error;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.header.CompiledHeaderChanges;
import java.util.List;

/**
 * Selects the header lines of a backend's response that a client needs although an error page replaces the response:
 * authentication challenges, {@code Retry-After}, cookies, permitted methods, CORS and HSTS. All other lines are
 * dropped, because they describe the replaced body or the backend.
 */
public final class InterceptedLines {

    private static final List<byte[]> KEPT = List.of(
            ByteClasses.ascii("allow"),
            ByteClasses.ascii("proxy-authenticate"),
            ByteClasses.ascii("retry-after"),
            ByteClasses.ascii("set-cookie"),
            ByteClasses.ascii("strict-transport-security"),
            ByteClasses.ascii("www-authenticate"));
    private static final byte[] CORS_PREFIX = ByteClasses.ascii("access-control-");

    private InterceptedLines() {}

    /**
     * Appends the lines, each with its line end.
     *
     * @param edits the header rules, which may remove lines
     */
    public static void append(ResponseScanner response, CompiledHeaderChanges edits, ByteAppender target) {
        for (int line = 0; line < response.count; line++) {
            int from = response.lineStart[line];
            int to = response.nameEnd[line];
            if (isKept(response.bytes, from, to) && !edits.removes(response.bytes, from, to)) {
                target.append(response.bytes, from, to);
                target.appendAscii(": ");
                target.append(response.bytes, response.valueStart[line], response.valueEnd[line]);
                target.appendAscii("\r\n");
            }
        }
    }

    private static boolean isKept(byte[] bytes, int from, int to) {
        int prefixEnd = from + CORS_PREFIX.length;
        if (prefixEnd < to && ByteClasses.equalsIgnoreCase(bytes, from, prefixEnd, CORS_PREFIX)) {
            return true;
        }
        for (byte[] name : KEPT) {
            if (ByteClasses.equalsIgnoreCase(bytes, from, to, name)) {
                return true;
            }
        }
        return false;
    }
}
