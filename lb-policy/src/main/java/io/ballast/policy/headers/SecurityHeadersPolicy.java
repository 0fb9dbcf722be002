package io.ballast.policy.headers;

import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.policy.config.SecurityHeadersConfig;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds headers to all responses, including the refusals of other policies. A line of the same name that a header rule
 * adds takes precedence. Immutable. Cost: one copy of the lines; allocates nothing.
 */
public final class SecurityHeadersPolicy implements Policy {

    private static final String STRICT_TRANSPORT_SECURITY = "Strict-Transport-Security";

    private final byte[] linesForTls;
    private final byte[] linesForPlainHttp;
    private final List<String> replaced;

    public SecurityHeadersPolicy(SecurityHeadersConfig config) {
        Map<String, String> headers = new LinkedHashMap<>();
        config.strictTransportSecurity().ifPresent(value -> headers.put(STRICT_TRANSPORT_SECURITY, value));
        config.contentTypeOptions().ifPresent(value -> headers.put("X-Content-Type-Options", value));
        config.frameOptions().ifPresent(value -> headers.put("X-Frame-Options", value));
        config.referrerPolicy().ifPresent(value -> headers.put("Referrer-Policy", value));
        config.permissionsPolicy().ifPresent(value -> headers.put("Permissions-Policy", value));
        config.contentSecurityPolicy().ifPresent(value -> headers.put("Content-Security-Policy", value));
        this.replaced = config.override() ? List.copyOf(headers.keySet()) : List.of();
        this.linesForTls = lines(headers);
        headers.remove(STRICT_TRANSPORT_SECURITY);
        this.linesForPlainHttp = lines(headers);
    }

    private static byte[] lines(Map<String, String> headers) {
        StringBuilder lines = new StringBuilder();
        headers.forEach(
                (name, value) -> lines.append(name).append(": ").append(value).append("\r\n"));
        return lines.toString().getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public Phase phase() {
        return Phase.RESPONSE_HEADERS;
    }

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        boolean tls = exchange.tls().version().length > 0;
        exchange.defaultLines().append(tls ? linesForTls : linesForPlainHttp);
        return PolicyDecision.PASS;
    }

    @Override
    public List<String> responseHeaders() {
        return replaced;
    }

    @Override
    public boolean replacesSameKind() {
        return true;
    }
}
