package io.ballast.policy.config.jwt;

import io.ballast.core.Checks;
import io.ballast.policy.config.PolicyRule;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Authentication by JSON Web Tokens (RFC 7519).
 *
 * @param keys the source of the keys
 * @param algorithms the accepted algorithms; empty for all algorithms that the keys support
 * @param claims the rules for the claims
 * @param from where requests contain the token
 * @param forwards whether backends receive the token; always true for a cookie
 * @param headers the request headers in which the backend receives claims: the name of each header, with the name of
 *     its claim
 * @param realm the realm of {@code WWW-Authenticate}
 * @param cached the maximum number of cached tokens
 */
public record JwtConfig(
        JwtKeySource keys,
        Set<JwtAlgorithm> algorithms,
        JwtClaimRules claims,
        JwtTokenPlace from,
        boolean forwards,
        Map<String, String> headers,
        String realm,
        int cached)
        implements PolicyRule {

    public static final String DEFAULT_REALM = "restricted";
    public static final int DEFAULT_CACHED = 10_000;
    public static final int MAX_CACHED = 1_000_000;

    public JwtConfig {
        algorithms = Set.copyOf(algorithms);
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        Checks.between(cached, 1, MAX_CACHED, "cache");
        Checks.that(
                forwards || from.kind() != JwtTokenPlace.Kind.COOKIE,
                "forward",
                forwards,
                "true if the token is in a cookie");
        algorithms.forEach(algorithm -> checkFit(algorithm, keys));
    }

    /** Returns a configuration with defaults for all other settings. */
    public static JwtConfig of(JwtKeySource keys, JwtClaimRules claims, Map<String, String> headers) {
        return new JwtConfig(
                keys,
                Set.of(),
                claims,
                JwtTokenPlace.AUTHORIZATION,
                /* forwards= */ true,
                headers,
                DEFAULT_REALM,
                DEFAULT_CACHED);
    }

    private static void checkFit(JwtAlgorithm algorithm, JwtKeySource keys) {
        boolean isShared = keys instanceof JwtKeySource.Shared;
        String name = algorithm.text();
        Checks.that(
                algorithm.isSymmetric() == isShared,
                "algorithms",
                name,
                isShared
                        ? "HS256, HS384 or HS512; " + name + " needs a public key"
                        : "no " + name + ", which needs a secret");
        if (keys instanceof JwtKeySource.Shared shared) {
            int bytes = shared.secret().bytes().length;
            Checks.that(
                    bytes >= algorithm.minSecretBytes(),
                    "algorithms",
                    name,
                    "no " + name + ", which needs a secret of " + algorithm.minSecretBytes() + " bytes; it has "
                            + bytes);
        }
    }

    @Override
    public String kind() {
        return "jwt";
    }

    @Override
    public boolean authenticates() {
        return true;
    }
}
