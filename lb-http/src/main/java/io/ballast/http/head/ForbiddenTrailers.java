package io.ballast.http.head;

import java.util.Arrays;
import java.util.List;

/**
 * The fields that are not allowed as trailers because they frame, route, authenticate or control the message (<a
 * href="https://datatracker.ietf.org/doc/html/rfc9110#section-6.5.1">RFC 9110 section 6.5.1</a>).
 */
public final class ForbiddenTrailers {

    private static final List<byte[]> NAMES = List.of(
                    "transfer-encoding",
                    "content-length",
                    "host",
                    "connection",
                    "keep-alive",
                    "proxy-connection",
                    "upgrade",
                    "te",
                    "trailer",
                    "expect",
                    "authorization",
                    "proxy-authorization",
                    "www-authenticate",
                    "proxy-authenticate",
                    "cookie",
                    "set-cookie",
                    "content-encoding",
                    "content-type",
                    "content-range",
                    "range",
                    "max-forwards",
                    "cache-control",
                    "forwarded",
                    "via",
                    "x-forwarded-for",
                    "x-forwarded-proto",
                    "x-forwarded-host",
                    "x-forwarded-port")
            .stream()
            .map(ByteClasses::ascii)
            .toList();

    private ForbiddenTrailers() {}

    /** Whether the first {@code length} bytes, in lower case, are the name of a forbidden trailer. */
    public static boolean contains(byte[] lowerCase, int length) {
        if (length > lowerCase.length) {
            return false;
        }
        for (byte[] name : NAMES) {
            if (name.length == length && Arrays.equals(name, 0, length, lowerCase, 0, length)) {
                return true;
            }
        }
        return false;
    }
}
