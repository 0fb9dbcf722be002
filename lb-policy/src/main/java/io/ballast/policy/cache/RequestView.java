package io.ballast.policy.cache;

import io.ballast.http.head.ByteClasses;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.policy.cache.rule.CacheDirectives;
import io.ballast.policy.cache.rule.HeaderLines;
import io.ballast.policy.cache.rule.VaryRule;
import io.ballast.policy.cache.store.UrlEntry;
import io.ballast.policy.cache.store.Variant;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the parts of a request that matter to a cache. One object for each event loop; event-loop confined. */
final class RequestView {

    /** How a cache treats a request. */
    enum Kind {
        /** A GET that may be answered from the store, and whose response may be stored. */
        GET,
        /** A HEAD that may be answered from the store. */
        HEAD,
        /** A method that may change the resource at its URL (RFC 9111 section 4.4). */
        UNSAFE,
        /** The cache ignores the request. */
        BYPASS
    }

    private static final byte[] GET = ByteClasses.ascii("GET");
    private static final byte[] HEAD = ByteClasses.ascii("HEAD");
    private static final byte[][] SAFE = {ByteClasses.ascii("OPTIONS"), ByteClasses.ascii("TRACE")};
    private static final byte[] CONNECT = ByteClasses.ascii("CONNECT");

    private static final byte[] CONTENT_LENGTH = ByteClasses.ascii("content-length");
    private static final byte[] TRANSFER_ENCODING = ByteClasses.ascii("transfer-encoding");
    private static final byte[] CONNECTION = ByteClasses.ascii("connection");
    private static final byte[] UPGRADE = ByteClasses.ascii("upgrade");
    /** Clients send {@code Upgrade: h2c} with ordinary requests, and Ballast ignores it. */
    private static final byte[] H2C = ByteClasses.ascii("h2c");

    /** Headers that make the cache ignore a request: credentials, and conditions that only the backend can check. */
    private static final byte[][] BYPASSED = {
        ByteClasses.ascii("authorization"),
        ByteClasses.ascii("proxy-authorization"),
        ByteClasses.ascii("if-match"),
        ByteClasses.ascii("if-unmodified-since")
    };
    /**
     * Headers that may change a response although the response does not name them in {@code Vary}. Responses to
     * requests with other values are stored separately, so that a client cannot poison the cache with them.
     */
    private static final byte[][] CONTEXT = {
        ByteClasses.ascii("forwarded"),
        ByteClasses.ascii("x-forwarded-host"),
        ByteClasses.ascii("x-forwarded-proto"),
        ByteClasses.ascii("x-forwarded-port"),
        ByteClasses.ascii("x-forwarded-prefix"),
        ByteClasses.ascii("x-forwarded-scheme"),
        ByteClasses.ascii("x-forwarded-server"),
        ByteClasses.ascii("x-forwarded-ssl"),
        ByteClasses.ascii("x-host"),
        ByteClasses.ascii("x-original-host"),
        ByteClasses.ascii("x-original-url"),
        ByteClasses.ascii("x-rewrite-url"),
        ByteClasses.ascii("x-http-method-override"),
        ByteClasses.ascii("x-http-method"),
        ByteClasses.ascii("x-method-override")
    };

    /** Options of {@code Connection} that do not name a header that a backend would get. */
    private static final byte[][] CONNECTION_OPTIONS = {
        ByteClasses.ascii("keep-alive"),
        ByteClasses.ascii("close"),
        ByteClasses.ascii("upgrade"),
        ByteClasses.ascii("http2-settings"),
        ByteClasses.ascii("te")
    };

    private static final byte[] CACHE_CONTROL = ByteClasses.ascii("cache-control");
    private static final byte[] PRAGMA = ByteClasses.ascii("pragma");
    private static final CacheDirectives NO_CACHE = CacheDirectives.parse(List.of("no-cache"));

    private PolicyExchange exchange;
    private RoutedRequest request;
    /** The route of the last request, as bytes and as text; the next request usually has the same route. */
    private byte[] lastRoute = {};

    private String lastRouteText = "";

    RequestView(PolicyExchange exchange) {
        this.exchange = exchange;
        this.request = exchange.request();
    }

    /** Reads the current request of an exchange. */
    RequestView of(PolicyExchange evaluated) {
        exchange = evaluated;
        request = evaluated.request();
        return this;
    }

    Kind kind() {
        if (isMethod(GET)) {
            return isBypassed() ? Kind.BYPASS : Kind.GET;
        }
        if (isMethod(HEAD)) {
            return isBypassed() ? Kind.BYPASS : Kind.HEAD;
        }
        if (isMethod(SAFE[0]) || isMethod(SAFE[1]) || isMethod(CONNECT)) {
            return Kind.BYPASS;
        }
        return Kind.UNSAFE;
    }

    private boolean isMethod(byte[] method) {
        int from = request.methodStart();
        return request.methodEnd() - from == method.length
                && java.util.Arrays.equals(request.bytes(), from, request.methodEnd(), method, 0, method.length);
    }

    /** Whether the response may depend on the client, or on a body. */
    private boolean isBypassed() {
        boolean isKnown = exchange.isAuthenticated() || exchange.tls().clientCertificate() != null;
        if (isKnown || exchange.usesFallback() || hasBody() || hidesHeaders()) {
            return true;
        }
        int upgrade = request.headerLine(UPGRADE, 0);
        if (upgrade >= 0 && !isH2c(upgrade)) {
            return true;
        }
        for (byte[] name : BYPASSED) {
            if (request.headerLine(name, 0) >= 0) {
                return true;
            }
        }
        return request.authorityEnd() == request.hostStart(); // no host
    }

    /**
     * Whether {@code Connection} may name a header. The backend does not get that header, so the response must not be
     * stored for the value that the client has sent.
     */
    private boolean hidesHeaders() {
        byte[] bytes = request.bytes();
        for (int line = request.headerLine(CONNECTION, 0); line >= 0; line = request.headerLine(CONNECTION, line + 1)) {
            int limit = request.headerEnd(line);
            int at = request.headerStart(line);
            while (at < limit) {
                int start = at;
                while (at < limit && ByteClasses.isToken(bytes[at])) {
                    at++;
                }
                if (at > start && !isConnectionOption(start, at)) {
                    return true;
                }
                at += at == start ? 1 : 0;
            }
        }
        return false;
    }

    private boolean isConnectionOption(int from, int to) {
        for (byte[] option : CONNECTION_OPTIONS) {
            if (ByteClasses.equalsIgnoreCase(request.bytes(), from, to, option)) {
                return true;
            }
        }
        return false;
    }

    private boolean isH2c(int line) {
        return ByteClasses.equalsIgnoreCase(request.bytes(), request.headerStart(line), request.headerEnd(line), H2C);
    }

    private boolean hasBody() {
        int line = request.headerLine(CONTENT_LENGTH, 0);
        boolean isEmpty = line < 0
                || (request.headerEnd(line) - request.headerStart(line) == 1
                        && request.bytes()[request.headerStart(line)] == '0');
        return !isEmpty || request.headerLine(TRANSFER_ENCODING, 0) >= 0;
    }

    /** The route, and the values of the headers that select a response although {@code Vary} does not name them. */
    String context() {
        byte[] route = exchange.route();
        if (route != lastRoute) {
            lastRoute = route;
            lastRouteText = new String(route, StandardCharsets.UTF_8);
        }
        StringBuilder text = null;
        for (int i = 0; i < CONTEXT.length; i++) {
            for (int line = 0; line < request.headerCount(); line++) {
                if (isContext(line, CONTEXT[i])) {
                    text = text == null ? new StringBuilder(lastRouteText) : text;
                    text.append('\n').append(i).append('=').append(value(line));
                }
            }
        }
        return text == null ? lastRouteText : text.toString();
    }

    /** Compares a name; backends may treat an underscore as a hyphen. */
    private boolean isContext(int line, byte[] name) {
        return ByteClasses.equalsIgnoreUnderscores(
                request.bytes(), request.headerNameStart(line), request.headerNameEnd(line), name);
    }

    /** The directives of the client: {@code Cache-Control}, or else {@code Pragma}. */
    CacheDirectives directives() {
        List<String> lines = values(CACHE_CONTROL);
        if (!lines.isEmpty()) {
            return CacheDirectives.parse(lines);
        }
        List<String> pragma = values(PRAGMA);
        boolean isNoCache = pragma.stream().anyMatch(value -> value.equalsIgnoreCase("no-cache"));
        return isNoCache ? NO_CACHE : CacheDirectives.NONE;
    }

    /** Returns the stored response that the request selects, even if it is stale; null if there is none. */
    @Nullable Variant select(UrlEntry entry) {
        List<Variant> variants = entry.variants();
        if (variants.isEmpty()) {
            return null;
        }
        String context = context();
        VaryRule lastRule = VaryRule.NONE;
        String selection = "";
        for (Variant variant : variants) {
            VaryRule rule = variant.response().head().metadata().vary();
            if (!rule.equals(lastRule)) {
                lastRule = rule;
                selection = rule.select(this::values);
            }
            if (variant.context().equals(context) && variant.selection().equals(selection)) {
                return variant;
            }
        }
        return null;
    }

    boolean has(byte[] lowerCaseName) {
        return request.headerLine(lowerCaseName, 0) >= 0;
    }

    /** Returns the value of the first line; null if there is none. */
    @Nullable String first(byte[] lowerCaseName) {
        int line = request.headerLine(lowerCaseName, 0);
        return line < 0 ? null : value(line);
    }

    /** Returns the values of all lines with a name. */
    List<String> values(byte[] lowerCaseName) {
        int line = request.headerLine(lowerCaseName, 0);
        if (line < 0) {
            return List.of();
        }
        List<String> values = new ArrayList<>(1);
        for (; line >= 0; line = request.headerLine(lowerCaseName, line + 1)) {
            values.add(value(line));
        }
        return values;
    }

    /** Returns the values of all lines with a name in lower case. */
    List<String> values(String lowerCaseName) {
        return values(lowerCaseName.getBytes(StandardCharsets.ISO_8859_1));
    }

    private String value(int line) {
        return text(request.headerStart(line), request.headerEnd(line));
    }

    private String text(int from, int to) {
        return new String(request.bytes(), from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** See {@link PolicyExchange#computedHeaders}. */
    Set<String> computedHeaders() {
        return exchange.computedHeaders();
    }

    /** Returns a copy of all header lines, for use after the evaluation. */
    HeaderLines copyLines() {
        List<HeaderLines.Line> lines = new ArrayList<>(request.headerCount());
        for (int line = 0; line < request.headerCount(); line++) {
            lines.add(new HeaderLines.Line(
                    text(request.headerNameStart(line), request.headerNameEnd(line)), value(line)));
        }
        return new HeaderLines(lines);
    }
}
