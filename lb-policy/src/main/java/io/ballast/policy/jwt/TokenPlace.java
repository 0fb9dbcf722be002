package io.ballast.policy.jwt;

import io.ballast.http.route.key.Cookies;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.policy.config.jwt.JwtTokenPlace;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Finds the token of a request. Immutable; allocates nothing. */
interface TokenPlace {

    /** The request has no token. */
    long NONE = -1;
    /** The request has more than one header that may contain the token. */
    long REPEATED = -2;

    /** Returns the range of the token, to be read with {@link #from} and {@link #to}; or {@link #NONE} or {@link #REPEATED}. */
    long find(RoutedRequest request);

    static int from(long range) {
        return (int) (range >>> Integer.SIZE);
    }

    static int to(long range) {
        return (int) range;
    }

    static TokenPlace of(JwtTokenPlace place) {
        return switch (place.kind()) {
            case AUTHORIZATION -> bearer();
            case HEADER -> header(place.name());
            case COOKIE -> cookie(place.name());
        };
    }

    /** The credentials of {@code Authorization: Bearer}; the scheme is case-insensitive (RFC 9110 section 11.1). */
    private static TokenPlace bearer() {
        TokenPlace authorization = header("authorization");
        byte[] scheme = "bearer ".getBytes(StandardCharsets.US_ASCII);
        return request -> {
            long range = authorization.find(request);
            if (range < 0) {
                return range;
            }
            byte[] bytes = request.bytes();
            int at = from(range);
            int to = to(range);
            for (byte expected : scheme) {
                if (at == to || lowerCase(bytes[at]) != expected) {
                    return NONE;
                }
                at++;
            }
            while (at < to && bytes[at] == ' ') {
                at++;
            }
            return range(at, to);
        };
    }

    private static TokenPlace header(String name) {
        byte[] lowerCaseName = name.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
        return request -> {
            int line = request.headerLine(lowerCaseName, 0);
            if (line < 0) {
                return NONE;
            }
            if (request.headerLine(lowerCaseName, line + 1) >= 0) {
                return REPEATED;
            }
            return range(request.headerStart(line), request.headerEnd(line));
        };
    }

    private static TokenPlace cookie(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return request -> {
            long range = Cookies.find(request, bytes);
            return range == Cookies.NONE ? NONE : range(Cookies.from(range), Cookies.to(range));
        };
    }

    private static byte lowerCase(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b + ('a' - 'A')) : b;
    }

    private static long range(int from, int to) {
        return from == to ? NONE : (long) from << Integer.SIZE | to;
    }
}
