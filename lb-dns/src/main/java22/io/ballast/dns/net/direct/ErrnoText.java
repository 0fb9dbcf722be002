package io.ballast.dns.net.direct;

import java.io.IOException;
import java.util.Map;

/** The texts of error numbers that can occur when a socket is opened. */
final class ErrnoText {

    private static final Map<Integer, String> TEXTS = Map.of(
            1, "Operation not permitted",
            13, "Permission denied",
            22, "Invalid argument",
            23, "Too many open files in system",
            24, "Too many open files",
            38, "Function not implemented",
            97, "Address family not supported by protocol",
            98, "Address already in use",
            99, "Cannot assign requested address");

    private ErrnoText() {}

    /**
     * Returns the result of a call if it did not fail.
     *
     * @throws IOException if the call failed; the message contains the name of the call and the reason
     */
    static int check(String call, int result) throws IOException {
        if (result >= 0) {
            return result;
        }
        String text = TEXTS.get(-result);
        throw new IOException(text == null ? call + " failed with error " + -result : text + " (" + call + ")");
    }
}
