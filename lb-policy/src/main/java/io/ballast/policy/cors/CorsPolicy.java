package io.ballast.policy.cors;

import io.ballast.http.policy.DirectResponse;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.policy.config.CorsConfig;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Answers preflight requests, and adds the CORS headers to other responses (<a
 * href="https://fetch.spec.whatwg.org/#http-cors-protocol">Fetch standard</a>). A preflight request from an origin that
 * is not allowed gets the same status without the headers, so that the browser blocks the request. Immutable. Cost: a
 * search for one header and a comparison with the origins; allocates nothing.
 */
public final class CorsPolicy implements Policy {

    private static final DirectResponse PREFLIGHT = new DirectResponse(204, "cors_preflight");

    private static final byte[] OPTIONS = ascii("OPTIONS");
    private static final byte[] ORIGIN = ascii("origin");
    private static final byte[] REQUESTED_METHOD = ascii("access-control-request-method");
    private static final byte[] ALLOW_ORIGIN = ascii("Access-Control-Allow-Origin: ");
    private static final byte[] ALLOW_ANY = ascii("Access-Control-Allow-Origin: *\r\n");
    private static final byte[] LINE_END = ascii("\r\n");
    private static final byte[] VARY = ascii("Vary: Origin\r\n");

    private static final List<String> RESPONSE_HEADERS = List.of(
            "Access-Control-Allow-Origin",
            "Access-Control-Allow-Methods",
            "Access-Control-Allow-Headers",
            "Access-Control-Allow-Credentials",
            "Access-Control-Allow-Private-Network",
            "Access-Control-Expose-Headers",
            "Access-Control-Max-Age");

    private final boolean allowsAny;
    private final AllowedOrigins origins;
    /** The lines of an allowed preflight request, after {@code Access-Control-Allow-Origin}. */
    private final byte[] preflightLines;
    /** The lines of other allowed requests, after {@code Access-Control-Allow-Origin}. */
    private final byte[] responseLines;

    public CorsPolicy(CorsConfig config) {
        this.allowsAny = config.origins().contains(CorsConfig.ANY);
        this.origins = new AllowedOrigins(config.origins());
        String credentials = config.credentials() ? "Access-Control-Allow-Credentials: true\r\n" : "";
        String maxAge = config.maxAge()
                .map(age -> "Access-Control-Max-Age: " + age.toSeconds() + "\r\n")
                .orElse("");
        this.preflightLines = ascii(credentials
                + line("Access-Control-Allow-Methods", config.methods())
                + line("Access-Control-Allow-Headers", config.headers())
                + maxAge);
        this.responseLines = ascii(credentials + line("Access-Control-Expose-Headers", config.exposeHeaders()));
    }

    private static String line(String name, List<String> values) {
        return values.isEmpty() ? "" : name + ": " + String.join(", ", values) + "\r\n";
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public Phase phase() {
        return Phase.PREFLIGHT;
    }

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        RoutedRequest request = exchange.request();
        int origin = request.headerLine(ORIGIN, 0);
        boolean isPreflight = origin >= 0 && isPreflight(request);
        if (isAllowed(request, origin)) {
            appendOrigin(exchange, origin);
            exchange.responseLines().append(isPreflight ? preflightLines : responseLines);
        }
        if (!allowsAny) {
            exchange.responseLines().append(VARY); // added even without an origin, because responses may be cached
        }
        return isPreflight ? PREFLIGHT : PolicyDecision.PASS;
    }

    private static boolean isPreflight(RoutedRequest request) {
        return Arrays.equals(request.bytes(), request.methodStart(), request.methodEnd(), OPTIONS, 0, OPTIONS.length)
                && request.headerLine(REQUESTED_METHOD, 0) >= 0;
    }

    /** @param origin the number of the first line {@code Origin}, or -1 */
    private boolean isAllowed(RoutedRequest request, int origin) {
        if (allowsAny) {
            return true;
        }
        return origin >= 0
                && request.headerLine(ORIGIN, origin + 1) < 0 // browsers send exactly one Origin line
                && origins.contains(request.bytes(), request.headerStart(origin), request.headerEnd(origin));
    }

    private void appendOrigin(PolicyExchange exchange, int origin) {
        if (allowsAny) {
            exchange.responseLines().append(ALLOW_ANY);
            return;
        }
        RoutedRequest request = exchange.request();
        exchange.responseLines().append(ALLOW_ORIGIN);
        exchange.responseLines().append(request.bytes(), request.headerStart(origin), request.headerEnd(origin));
        exchange.responseLines().append(LINE_END);
    }

    @Override
    public List<String> responseHeaders() {
        return RESPONSE_HEADERS;
    }

    @Override
    public boolean replacesSameKind() {
        return true;
    }
}
