package io.ballast.policy.jwt.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.policy.config.jwt.JwtAlgorithm;
import io.ballast.policy.config.jwt.JwtClaimRules;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenRulesTest {

    private static final JwtClaimRules CLAIMS = new JwtClaimRules(
            List.of("https://id.example"),
            List.of("api", "web"),
            List.of(),
            Duration.ofSeconds(30),
            Map.of("scope", List.of("read", "write"), "groups", List.of("staff")));
    private static final TokenRules RULES = new TokenRules(Set.of(JwtAlgorithm.ES256), CLAIMS);
    private static final String VALID = "\"iss\":\"https://id.example\",\"aud\":\"api\"";

    private static ParsedToken token(String type, String claims) throws Exception {
        return new ParsedToken(
                new byte[0], 0, JwtAlgorithm.ES256, "", type, new TokenClaims(StrictJson.object(claims)), new byte[0]);
    }

    private static @Nullable TokenProblem check(String claims, long seconds) throws Exception {
        return RULES.check(token("", "{" + claims + "}"), seconds * 1000);
    }

    @ParameterizedTest
    @CsvSource({
        "1000, , 1029, ",
        "1000, , 1030, EXPIRED",
        "1000.9, , 1029, ",
        "1e3, , 1030, EXPIRED",
        "-1, , 1000, EXPIRED",
        "1e999, , 1000, MALFORMED",
        "'\"1000\"', , 1000, MALFORMED",
        "123456789012345678901234567890, , 1000, ",
        "null, , 1000, NO_EXPIRY",
        "2000, 1030, 1000, ",
        "2000, 1031, 1000, NOT_YET_VALID",
        "2000, '\"0\"', 1000, MALFORMED",
    })
    void tokenIsValidForItsTimeAndTheLeeway(String expires, String starts, long now, TokenProblem problem)
            throws Exception {
        String notBefore = starts == null ? "" : ",\"nbf\":" + starts;

        assertThat(check(VALID + ",\"exp\":" + expires + notBefore, now)).isEqualTo(problem);
    }

    @Test
    void expiryIsRequired() throws Exception {
        assertThat(check(VALID, 1000)).isEqualTo(TokenProblem.NO_EXPIRY);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "\"https://id.example\" | \"web\" |",
                "\"https://id.example\" | [\"other\",\"api\"] |",
                "\"https://id.example\" | \"other\" | AUDIENCE",
                "\"https://id.example\" | [] | AUDIENCE",
                "\"https://id.example\" | \"api web\" | AUDIENCE",
                "\"https://id.example\" | null | AUDIENCE",
                "\"https://id.example/\" | \"api\" | ISSUER",
                "[\"https://id.example\"] | \"api\" | ISSUER",
                "null | \"api\" | ISSUER",
            })
    void issuerAndAudienceAreCompared(String issuer, String audience, TokenProblem problem) throws Exception {
        assertThat(check("\"iss\":" + issuer + ",\"aud\":" + audience + ",\"exp\":2000", 1000))
                .isEqualTo(problem);
    }

    @ParameterizedTest
    @CsvSource({
        "'', ",
        "JWT, ",
        "application/at+jwt, ",
        "AT+JWT, ",
        "logout+jwt, TYPE",
        "dpop+jwt, TYPE",
    })
    void tokensOfOtherTypesAreRefused(String type, TokenProblem problem) throws Exception {
        assertThat(RULES.check(token(type, "{" + VALID + ",\"exp\":2000}"), 1_000_000))
                .isEqualTo(problem);
    }

    @Test
    void configuredTypeIsRequired() throws Exception {
        TokenRules rules = new TokenRules(
                Set.of(JwtAlgorithm.ES256),
                new JwtClaimRules(List.of(), List.of(), List.of("at+jwt"), Duration.ZERO, Map.of()));

        assertThat(rules.check(token("application/AT+jwt", "{\"exp\":2}"), 1000))
                .isNull();
        assertThat(rules.check(token("JWT", "{\"exp\":2}"), 1000)).isEqualTo(TokenProblem.TYPE);
        assertThat(rules.check(token("", "{\"exp\":2}"), 1000)).isEqualTo(TokenProblem.TYPE);
    }

    @Test
    void onlyConfiguredAlgorithmsAreAccepted() throws Exception {
        TokenRules rules = new TokenRules(Set.of(JwtAlgorithm.RS256), CLAIMS);

        assertThat(rules.check(token("", "{" + VALID + ",\"exp\":2000}"), 1_000_000))
                .isEqualTo(TokenProblem.ALGORITHM);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "\"read write\" | \"staff\" | true",
                "\"write other read\" | [\"a\",\"staff\"] | true",
                "[\"read\",\"write\"] | \"staff\" | true",
                "\"read\" | \"staff\" | false",
                "\"readwrite\" | \"staff\" | false",
                "\"read,write\" | \"staff\" | false",
                "\"read write\" | \"staff admin\" | false",
                "\"read write\" | {\"staff\":true} | false",
                "\"read write\" | null | false",
            })
    void requiredValuesMustAllBePresent(String scope, String groups, boolean permits) throws Exception {
        TokenClaims claims = new TokenClaims(StrictJson.object("{\"scope\":" + scope + ",\"groups\":" + groups + "}"));

        assertThat(RULES.permits(claims)).isEqualTo(permits);
    }
}
