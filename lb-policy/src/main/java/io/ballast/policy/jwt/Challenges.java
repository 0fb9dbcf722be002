package io.ballast.policy.jwt;

import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import io.ballast.policy.jwt.token.TokenProblem;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The refusals of requests, each with its {@code WWW-Authenticate} header
 * (<a href="https://datatracker.ietf.org/doc/html/rfc6750#section-3">RFC 6750 section 3</a>). Immutable.
 */
final class Challenges {

    /** A scope with the characters that RFC 6750 section 3 permits. */
    private static final Pattern SCOPE = Pattern.compile("[!#-\\[\\]-~]+");

    private final Refusal[] refusals;
    private final byte[][] lines;

    /**
     * @param realm printable ASCII without quotation marks and backslashes
     * @param scopes the scopes that requests need; empty if none are configured
     */
    Challenges(String realm, List<String> scopes) {
        TokenProblem[] problems = TokenProblem.values();
        this.refusals = new Refusal[problems.length];
        this.lines = new byte[problems.length][];
        for (TokenProblem problem : problems) {
            refusals[problem.ordinal()] = new Refusal(problem.status(), problem.reason(), problem.description());
            lines[problem.ordinal()] = line(problem, realm, scopes).getBytes(StandardCharsets.US_ASCII);
        }
    }

    private static String line(TokenProblem problem, String realm, List<String> scopes) {
        StringBuilder line = new StringBuilder("WWW-Authenticate: Bearer realm=\"")
                .append(realm)
                .append('"');
        if (!problem.error().isEmpty()) {
            line.append(", error=\"").append(problem.error()).append('"');
            line.append(", error_description=\"").append(problem.description()).append('"');
        }
        boolean namesScopes = !scopes.isEmpty()
                && scopes.stream().allMatch(scope -> SCOPE.matcher(scope).matches());
        if (problem == TokenProblem.INSUFFICIENT && namesScopes) {
            line.append(", scope=\"").append(String.join(" ", scopes)).append('"');
        }
        return line.append("\r\n").toString();
    }

    /** Appends the header to the response of the request, and returns the refusal. */
    PolicyDecision refuse(TokenProblem problem, PolicyExchange exchange) {
        exchange.responseLines().append(lines[problem.ordinal()]);
        return refusals[problem.ordinal()];
    }
}
