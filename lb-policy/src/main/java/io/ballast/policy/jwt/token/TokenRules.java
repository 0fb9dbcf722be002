package io.ballast.policy.jwt.token;

import io.ballast.policy.config.jwt.JwtAlgorithm;
import io.ballast.policy.config.jwt.JwtClaimRules;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the header and the claims of a token against the configuration. Immutable. */
public final class TokenRules {

    private static final long MILLIS = 1000;
    private static final String MEDIA_TYPE = "application/";

    /**
     * The accepted values of {@code typ} by default. A token of another type, such as {@code logout+jwt}, must not be
     * used as an access token (RFC 8725, 3.11).
     */
    private static final List<String> DEFAULT_TYPES = List.of("", "jwt", "at+jwt");

    private final Set<JwtAlgorithm> algorithms;
    private final List<String> issuers;
    private final List<String> audiences;
    private final List<String> types;
    private final long leewaySeconds;
    private final Map<String, List<String>> required;

    /** @param algorithms the accepted algorithms */
    public TokenRules(Set<JwtAlgorithm> algorithms, JwtClaimRules claims) {
        this.algorithms = algorithms;
        this.issuers = claims.issuers();
        this.audiences = claims.audiences();
        this.types = claims.types().isEmpty()
                ? DEFAULT_TYPES
                : claims.types().stream().map(TokenRules::normalType).toList();
        this.leewaySeconds = claims.leeway().toSeconds();
        this.required = claims.required();
    }

    /**
     * Returns the first problem of the token, or null if its signature is worth verifying.
     *
     * @param nowMillis the time of day in milliseconds since 1970
     */
    public @Nullable TokenProblem check(ParsedToken token, long nowMillis) {
        if (!algorithms.contains(token.algorithm())) {
            return TokenProblem.ALGORITHM;
        }
        if (!types.contains(normalType(token.type()))) {
            return TokenProblem.TYPE;
        }
        TokenClaims claims = token.claims();
        TokenProblem untimely = checkTimes(claims, nowMillis);
        if (untimely != null) {
            return untimely;
        }
        if (!issuers.isEmpty() && !issuers.contains(claims.string("iss"))) {
            return TokenProblem.ISSUER;
        }
        boolean isForUs = audiences.isEmpty() || audiences.stream().anyMatch(each -> claims.contains("aud", each));
        return isForUs ? null : TokenProblem.AUDIENCE;
    }

    private @Nullable TokenProblem checkTimes(TokenClaims claims, long nowMillis) {
        long expires = claims.seconds("exp");
        long starts = claims.seconds("nbf");
        if (expires == TokenClaims.ABSENT) {
            return TokenProblem.NO_EXPIRY;
        }
        if (expires == TokenClaims.INVALID || starts == TokenClaims.INVALID) {
            return TokenProblem.MALFORMED;
        }
        if (nowMillis >= expiresMillis(claims)) {
            return TokenProblem.EXPIRED;
        }
        boolean isEarly = starts != TokenClaims.ABSENT && nowMillis < (starts - leewaySeconds) * MILLIS;
        return isEarly ? TokenProblem.NOT_YET_VALID : null;
    }

    /** The first time at which a token is no longer valid, in milliseconds since 1970. */
    public long expiresMillis(TokenClaims claims) {
        return (claims.seconds("exp") + leewaySeconds) * MILLIS;
    }

    /** Whether the token has all required claims. */
    public boolean permits(TokenClaims claims) {
        for (Map.Entry<String, List<String>> claim : required.entrySet()) {
            for (String value : claim.getValue()) {
                if (!claims.contains(claim.getKey(), value)) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Returns the type without {@code application/} and in lower case, because types may omit this prefix, and their
     * case has no meaning (RFC 7515 section 4.1.9).
     */
    private static String normalType(String type) {
        String lowerCase = type.toLowerCase(Locale.ROOT);
        return lowerCase.startsWith(MEDIA_TYPE) ? lowerCase.substring(MEDIA_TYPE.length()) : lowerCase;
    }
}
