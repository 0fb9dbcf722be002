package io.ballast.http.check;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthCheck.Header;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Builds the headers of a check's request: the configured headers, and the default headers that they do not
 * override.
 */
final class CheckHeaders {

    private static final List<Header> DEFAULT_HEADERS =
            List.of(new Header("User-Agent", "ballast-health-check"), new Header("Accept", "*/*"));
    private static final Header ZERO_CONTENT_LENGTH = new Header("Content-Length", "0");

    /** Methods for which servers expect a body, even an empty one (RFC 9110 section 8.6). */
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

    private CheckHeaders() {}

    /** Returns the headers except {@code Host} and connection headers. */
    static List<Header> of(HealthCheck.Http check) {
        List<Header> headers = new ArrayList<>();
        for (Header usual : DEFAULT_HEADERS) {
            if (!has(check.headers(), usual.name())) {
                headers.add(usual);
            }
        }
        headers.addAll(check.headers());
        if (WITH_BODY.contains(check.method())) {
            headers.add(ZERO_CONTENT_LENGTH);
        }
        return headers;
    }

    private static boolean has(List<Header> headers, String name) {
        for (Header header : headers) {
            if (header.name().equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }
}
