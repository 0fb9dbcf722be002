package io.ballast.policy.identity;

import io.ballast.http.route.request.RoutedRequest;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Finds a header that a request must contain exactly once. A header with several lines counts as missing, because a
 * backend could read another line than the policy. Immutable.
 */
public final class SingleHeader {

    /** The result if the header is missing or has several lines. */
    public static final int NONE = -1;

    private final byte[] lowerCaseName;

    public SingleHeader(String name) {
        this.lowerCaseName = name.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the number of the header's line, or {@link #NONE}. */
    public int line(RoutedRequest request) {
        int line = request.headerLine(lowerCaseName, 0);
        return line >= 0 && request.headerLine(lowerCaseName, line + 1) < 0 ? line : NONE;
    }
}
