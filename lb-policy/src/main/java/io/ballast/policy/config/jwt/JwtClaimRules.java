package io.ballast.policy.config.jwt;

import io.ballast.core.Checks;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rules for the claims of a token.
 *
 * @param issuers the accepted values of {@code iss}; empty for any
 * @param audiences the accepted values of {@code aud}; a token needs one of them; empty for any
 * @param types the accepted values of the header parameter {@code typ}; empty for {@code JWT}, {@code at+jwt} and none
 * @param leeway how much the clocks of issuer and balancer may differ, from 0 s to 10 min
 * @param required the values that further claims must contain, by claim; a token needs all of them
 */
public record JwtClaimRules(
        List<String> issuers,
        List<String> audiences,
        List<String> types,
        Duration leeway,
        Map<String, List<String>> required) {

    public static final Duration DEFAULT_LEEWAY = Duration.ofSeconds(30);
    public static final Duration MAX_LEEWAY = Duration.ofMinutes(10);

    public JwtClaimRules {
        issuers = List.copyOf(issuers);
        audiences = List.copyOf(audiences);
        types = List.copyOf(types);
        required = Collections.unmodifiableMap(new LinkedHashMap<>(required));
        Checks.that(!leeway.isNegative() && leeway.compareTo(MAX_LEEWAY) <= 0, "leeway", leeway, ">= 0s and <= 10m");
    }

    /** Returns rules that only require values of claims. */
    public static JwtClaimRules requiring(Map<String, List<String>> required) {
        return new JwtClaimRules(List.of(), List.of(), List.of(), DEFAULT_LEEWAY, required);
    }

    /** Returns the rules of ID tokens of one issuer for one client; other types of tokens are not accepted. */
    public static JwtClaimRules ofIdTokens(String issuer, String clientId) {
        return new JwtClaimRules(List.of(issuer), List.of(clientId), List.of("", "jwt"), DEFAULT_LEEWAY, Map.of());
    }
}
