package io.ballast.policy.oidc.login;

import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.policy.config.oidc.OidcPages;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads the headers that describe the browser and the page of a request. The methods that return texts allocate; they are only
 * called for requests without a session. Immutable.
 */
public final class BrowserRequest {

    /** The maximum length of the address to which a user returns after the login. */
    static final int MAX_TARGET = 1024;

    private static final byte[] PROTO = ascii("x-forwarded-proto");
    private static final byte[] ACCEPT = ascii("accept");
    private static final byte[] FETCH_MODE = ascii("sec-fetch-mode");
    private static final byte[] FETCH_SITE = ascii("sec-fetch-site");
    private static final byte[] PURPOSE = ascii("sec-purpose");
    private static final byte[] ORIGIN = ascii("origin");
    private static final byte[] REQUESTED_WITH = ascii("x-requested-with");
    private static final String HOST = "[A-Za-z0-9._:\\[\\]-]{1,255}";

    private final String fixedOrigin;
    private final byte[] callback;
    private final byte[] logout;

    public BrowserRequest(OidcPages pages) {
        this.fixedOrigin = pages.origin();
        this.callback = ascii(pages.callbackPath());
        this.logout = ascii(pages.logout());
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Whether the client uses TLS. The header of a trusted proxy takes precedence over the connection, and the scheme of
     * the configured callback over both. Allocates nothing.
     */
    public boolean isHttps(PolicyExchange exchange) {
        if (!fixedOrigin.isEmpty()) {
            return fixedOrigin.startsWith("https:");
        }
        if (exchange.isBehindProxy()) {
            RoutedRequest request = exchange.request();
            int line = request.headerLine(PROTO, 0);
            if (line >= 0) {
                return startsWithHttps(request.bytes(), request.headerStart(line), request.headerEnd(line));
            }
        }
        return exchange.tls().version().length > 0;
    }

    private static boolean startsWithHttps(byte[] bytes, int from, int to) {
        int length = "https".length();
        if (to - from < length || (to - from > length && bytes[from + length] != ',' && bytes[from + length] != ' ')) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if ((bytes[from + i] | 0x20) != "https".charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the request is for the page to which the provider sends users back. Allocates nothing. */
    public boolean isCallback(RoutedRequest request) {
        return isPath(request, callback);
    }

    /** Whether the request is for the page that ends a session. Allocates nothing. */
    public boolean isLogout(RoutedRequest request) {
        return isPath(request, logout);
    }

    private static boolean isPath(RoutedRequest request, byte[] path) {
        int from = request.pathStart();
        int end = from + path.length;
        return end <= request.pathEnd()
                && (end == request.pathEnd() || request.bytes()[end] == '?')
                && Arrays.equals(path, 0, path.length, request.bytes(), from, end);
    }

    /** Whether the request has the given method. */
    static boolean isMethod(RoutedRequest request, String method) {
        return method.equals(text(request, request.methodStart(), request.methodEnd()));
    }

    /**
     * Whether a browser loads a page for a user, so that the user can log in. False for requests by scripts or for
     * images, and for prefetched pages.
     */
    static boolean isNavigation(RoutedRequest request) {
        if (!isMethod(request, "GET") && !isMethod(request, "HEAD")) {
            return false;
        }
        String mode = header(request, FETCH_MODE);
        String accept = header(request, ACCEPT);
        return (mode == null || mode.equals("navigate"))
                && accept != null
                && accept.toLowerCase(Locale.ROOT).contains("text/html")
                && header(request, PURPOSE) == null
                && header(request, REQUESTED_WITH) == null;
    }

    /** Whether the browser states that a page of the same origin has sent the request; false without such a header. */
    static boolean isSameOrigin(RoutedRequest request, String origin) {
        String site = header(request, FETCH_SITE);
        return site == null ? origin.equals(header(request, ORIGIN)) : site.equals("same-origin");
    }

    /** Returns the scheme and authority of the callback's URL; null if the request has no valid host. */
    @Nullable String callbackOrigin(RoutedRequest request, boolean https) {
        return fixedOrigin.isEmpty() ? origin(request, https) : fixedOrigin;
    }

    /** Returns the scheme and authority of a request's URL; null if the request has no valid host. */
    static @Nullable String origin(RoutedRequest request, boolean https) {
        String host = text(request, request.hostStart(), request.authorityEnd());
        return host.matches(HOST) ? (https ? "https://" : "http://") + host.toLowerCase(Locale.ROOT) : null;
    }

    /**
     * Returns the path and query of a request in printable ASCII. If it is too long, returns the path without the query,
     * then the root.
     */
    static String target(RoutedRequest request) {
        StringBuilder target = new StringBuilder();
        int queryStart = -1;
        for (int i = request.pathStart(); i < request.pathEnd(); i++) {
            int unit = request.bytes()[i] & 0xFF;
            if (unit == '?' && queryStart < 0) {
                queryStart = target.length();
            }
            if (unit > ' ' && unit < 0x7F) {
                target.append((char) unit);
            } else {
                target.append('%')
                        .append(Character.toUpperCase(Character.forDigit(unit >> 4, 16)))
                        .append(Character.toUpperCase(Character.forDigit(unit & 0xF, 16)));
            }
        }
        String whole = target.toString();
        String path = queryStart < 0 ? whole : whole.substring(0, queryStart);
        String fitting = whole.length() <= MAX_TARGET ? whole : path.length() <= MAX_TARGET ? path : "/";
        return fitting.startsWith("/") ? fitting : "/" + fitting;
    }

    /** Returns the query of a request without its question mark; empty for none. */
    static String query(RoutedRequest request) {
        String target = text(request, request.pathStart(), request.pathEnd());
        int mark = target.indexOf('?');
        return mark < 0 ? "" : target.substring(mark + 1);
    }

    private static @Nullable String header(RoutedRequest request, byte[] lowerCaseName) {
        int line = request.headerLine(lowerCaseName, 0);
        return line < 0 ? null : text(request, request.headerStart(line), request.headerEnd(line));
    }

    private static String text(RoutedRequest request, int from, int to) {
        return new String(request.bytes(), from, to - from, StandardCharsets.ISO_8859_1);
    }
}
