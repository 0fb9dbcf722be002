package io.ballast.policy.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.Base64URL;
import io.ballast.policy.config.jwt.JwtKeySource;
import io.ballast.policy.config.jwt.JwtSecret;
import io.ballast.policy.config.jwt.JwtTokenPlace;
import io.ballast.policy.jwt.JwtSetup.Reply;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the policy with requests, valid tokens and known attacks. */
class JwtPolicyTest {

    private static final String CLAIMS = TestTokens.claims("\"sub\":\"alice\"", "\"scope\":\"read write\"");
    private static final String VALID = TestTokens.signed(CLAIMS);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void validTokenPassesAndItsClaimsBecomeHeaders(boolean http2) throws Exception {
        try (JwtSetup setup = JwtSetup.with(
                        JwtSetup.config().header("X-User", "sub").header("X-Team", "team"))
                .start()) {
            for (int i = 0; i < 2; i++) { // the second request finds the token in the cache
                Reply reply =
                        setup.get(http2, "authorization", "bearer  " + VALID, "x-user", "admin", "x_team", "admin");

                assertThat(reply.status()).isEqualTo(200);
                assertThat(setup.backend().nextRequest())
                        .contains("X-User: alice\r\n")
                        .contains(VALID)
                        .doesNotContain("admin");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void requestWithoutTokenIsChallenged(boolean http2) throws Exception {
        try (JwtSetup setup = JwtSetup.with(JwtSetup.config()).start()) {
            Reply reply = setup.get(http2);

            assertThat(reply.status()).isEqualTo(401);
            assertThat(reply.challenge()).isEqualTo("Bearer realm=\"api\"");
            assertThat(setup.get(http2, "authorization", "Basic " + VALID).challenge())
                    .isEqualTo("Bearer realm=\"api\"");
            assertThat(setup.get(http2, "authorization", "Bearer").challenge()).isEqualTo("Bearer realm=\"api\"");
            assertThat(setup.backend().connections()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tokenWithoutRequiredScopeIsRefused(boolean http2) throws Exception {
        String token = TestTokens.signed(TestTokens.claims("\"scope\":\"write\""));
        try (JwtSetup setup =
                JwtSetup.with(JwtSetup.config().require("scope", "read")).start()) {
            for (int i = 0; i < 2; i++) {
                Reply reply = setup.get(http2, "authorization", "Bearer " + token);

                assertThat(reply.status()).isEqualTo(403);
                assertThat(reply.challenge())
                        .isEqualTo("Bearer realm=\"api\", error=\"insufficient_scope\","
                                + " error_description=\"the token does not permit the request\", scope=\"read\"");
            }
            assertThat(setup.get(http2, "authorization", "Bearer " + VALID).status())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void invalidSignatureIsRefused(boolean http2) throws Exception {
        String forged = TestTokens.signed(TestTokens.NEW_KEY, TestTokens.HEADER, CLAIMS);
        try (JwtSetup setup = JwtSetup.with(JwtSetup.config()).start()) {
            for (int i = 0; i < 2; i++) {
                Reply reply = setup.get(http2, "authorization", "Bearer " + forged);

                assertThat(reply.status()).isEqualTo(401);
                assertThat(reply.challenge())
                        .isEqualTo("Bearer realm=\"api\", error=\"invalid_token\","
                                + " error_description=\"the signature is not valid\"");
            }
            assertThat(setup.backend().connections()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void repeatedAuthorizationIsRefused(boolean http2) throws Exception {
        try (JwtSetup setup = JwtSetup.with(JwtSetup.config()).start()) {
            Reply reply = setup.get(http2, "authorization", "Bearer " + VALID, "authorization", "Bearer " + VALID);

            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.challenge()).contains("error=\"invalid_request\"");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{\"alg\":\"none\",\"kid\":\"old\"} | algorithm",
                "{\"alg\":\"NoNe\",\"kid\":\"old\"} | algorithm",
                "{\"alg\":\"HS256\",\"kid\":\"old\"} | algorithm",
                "{\"alg\":\"RS256\",\"kid\":\"old\"} | no key matches",
                "{\"alg\":\"ES384\",\"kid\":\"old\"} | no key matches",
                "{\"alg\":\"ES256\",\"kid\":\"new\"} | no key matches",
                "{\"alg\":\"ES256\",\"kid\":\"../../dev/null\"} | no key matches",
                "{\"alg\":\"ES256\",\"kid\":\"' OR 1=1 --\"} | no key matches",
                "{\"alg\":\"ES256\",\"kid\":\"old\",\"crit\":[\"exp\"]} | unknown extension",
                "{\"alg\":\"ES256\",\"kid\":\"old\",\"alg\":\"ES256\"} | malformed",
                "{\"alg\":\"ES256\",\"kid\":\"old\",\"typ\":\"logout+jwt\"} | type",
            })
    void tokenWithOtherHeaderIsRefused(String header, String description) throws Exception {
        String token = TestTokens.signed(TestTokens.OLD_KEY, header, CLAIMS);
        String unsigned = token.substring(0, token.lastIndexOf('.') + 1);
        try (JwtSetup setup = JwtSetup.with(JwtSetup.config()).start()) {
            for (String each : new String[] {token, unsigned}) {
                assertThat(setup.get(false, "authorization", "Bearer " + each).status())
                        .isEqualTo(401);
            }
            assertThat(setup.get(false, "authorization", "Bearer " + token).challenge())
                    .contains(description);
        }
    }

    /** Tests that keys in the header of a token are never used, and that addresses of keys are never requested. */
    @Test
    void keysInTheHeaderAreIgnored() throws Exception {
        String jwk = TestTokens.NEW_KEY.toPublicJWK().toJSONString();
        try (JwtSetup setup = JwtSetup.with(JwtSetup.config()).start()) {
            String url = "http://127.0.0.1:" + setup.backend().port() + "/keys";
            for (String kid : new String[] {"", ",\"kid\":\"old\"", ",\"kid\":\"new\""}) {
                for (String source : new String[] {
                    "\"jwk\":" + jwk, "\"jku\":\"" + url + "\"", "\"x5u\":\"" + url + "\"", "\"x5c\":[\"AAAA\"]"
                }) {
                    String header = "{\"alg\":\"ES256\"" + kid + "," + source + "}";
                    String token = TestTokens.signed(TestTokens.NEW_KEY, header, CLAIMS);

                    assertThat(setup.get(false, "authorization", "Bearer " + token)
                                    .status())
                            .isEqualTo(401);
                }
            }
            assertThat(setup.backend().connections()).isZero();
            String valid = TestTokens.signed(TestTokens.OLD_KEY, "{\"alg\":\"ES256\",\"jwk\":" + jwk + "}", CLAIMS);
            assertThat(setup.get(false, "authorization", "Bearer " + valid).status())
                    .isEqualTo(200);
        }
    }

    /** Uses the public key as the secret of HS256, in the forms in which vulnerable libraries have read it. */
    @Test
    void publicKeyIsNoSecret() throws Exception {
        String jwk = TestTokens.OLD_KEY.toPublicJWK().toJSONString();
        String set = new JWKSet(TestTokens.OLD_KEY).toString();
        byte[] der = TestTokens.OLD_KEY.toPublicKey().getEncoded();
        try (JwtSetup setup = JwtSetup.with(JwtSetup.config()).start()) {
            for (byte[] secret : new byte[][] {
                jwk.getBytes(StandardCharsets.UTF_8),
                set.getBytes(StandardCharsets.UTF_8),
                der,
                TestTokens.OLD_KEY.getX().decode()
            }) {
                String token = TestTokens.signed(
                        new MACSigner(secret), JWSAlgorithm.HS256, "{\"alg\":\"HS256\",\"kid\":\"old\"}", CLAIMS);

                assertThat(setup.get(false, "authorization", "Bearer " + token).challenge())
                        .contains("algorithm");
            }
        }
    }

    @Test
    void secretAcceptsOnlySymmetricAlgorithms() throws Exception {
        String text = "a secret of more than thirty-two bytes";
        MACSigner signer = new MACSigner(text);
        JwtSetup.Config config = JwtSetup.config().keys(new JwtKeySource.Shared(new JwtSecret(text), Optional.empty()));
        try (JwtSetup setup = JwtSetup.with(config).start()) {
            String token = TestTokens.signed(signer, JWSAlgorithm.HS256, "{\"alg\":\"HS256\"}", CLAIMS);

            assertThat(setup.get(false, "authorization", "Bearer " + token).status())
                    .isEqualTo(200);
            assertThat(setup.get(false, "authorization", "Bearer " + VALID).status())
                    .isEqualTo(401);
        }
    }

    @Test
    void claimsAreCheckedBeforeTheSignature() throws Exception {
        try (JwtSetup setup = JwtSetup.with(JwtSetup.config()).start()) {
            Map<String, String> problems = Map.of(
                    "{\"iss\":\"https://id.example\",\"aud\":\"api\",\"exp\":" + (TestTokens.NOW - 31) + "}",
                    "expired",
                    "{\"iss\":\"https://id.example\",\"aud\":\"api\"}",
                    "no expiration",
                    "{\"iss\":\"https://evil.example\",\"aud\":\"api\",\"exp\":2000000000}",
                    "issuer",
                    "{\"iss\":\"https://id.example\",\"aud\":\"other\",\"exp\":2000000000}",
                    "audience",
                    TestTokens.claims("\"nbf\":" + (TestTokens.NOW + 31)),
                    "not valid yet");
            problems.forEach((claims, description) -> {
                String unsigned = Base64URL.encode(TestTokens.HEADER) + "." + Base64URL.encode(claims) + ".AAAA";
                for (String token : new String[] {unsigned, TestTokens.signed(claims)}) {
                    Reply reply = setup.get(false, "authorization", "Bearer " + token);

                    assertThat(reply.status()).isEqualTo(401);
                    assertThat(reply.challenge())
                            .contains("error=\"invalid_token\"")
                            .contains(description);
                }
            });
        }
    }

    @Test
    void cachedTokenExpires() throws Exception {
        try (JwtSetup setup = JwtSetup.with(JwtSetup.config()).start()) {
            assertThat(setup.get(false, "authorization", "Bearer " + VALID).status())
                    .isEqualTo(200);
            setup.setSeconds(TestTokens.NOW + 3600 + 29);
            assertThat(setup.get(false, "authorization", "Bearer " + VALID).status())
                    .isEqualTo(200);
            setup.setSeconds(TestTokens.NOW + 3600 + 30);
            assertThat(setup.get(false, "authorization", "Bearer " + VALID).challenge())
                    .contains("expired");
        }
    }

    @Test
    void changedSpellingOfAKnownTokenIsRefused() throws Exception {
        try (JwtSetup setup = JwtSetup.with(JwtSetup.config()).start()) {
            assertThat(setup.get(false, "authorization", "Bearer " + VALID).status())
                    .isEqualTo(200);
            char last = VALID.charAt(VALID.length() - 1); // the lowest bits of the last character are unused
            String changed = VALID.substring(0, VALID.length() - 1) + (char) (last + 1);
            for (String token : new String[] {changed, VALID + "=", VALID + "==", VALID + ",", VALID + " x"}) {
                assertThat(setup.get(false, "authorization", "Bearer " + token).challenge())
                        .contains("malformed");
            }
        }
    }

    @Test
    void longTokenIsRefused() throws Exception {
        String token = TestTokens.signed(TestTokens.claims("\"a\":\"" + "x".repeat(6200) + "\""));
        assertThat(token.length()).isGreaterThan(8192).isLessThan(8800);
        try (JwtSetup setup = JwtSetup.with(JwtSetup.config()).start()) {
            assertThat(setup.get(false, "authorization", "Bearer " + token).challenge())
                    .contains("longer than 8192 bytes");
        }
    }

    @Test
    void tokenMayBeInACookie() throws Exception {
        JwtSetup.Config config = JwtSetup.config().from(new JwtTokenPlace(JwtTokenPlace.Kind.COOKIE, "session"));
        try (JwtSetup setup = JwtSetup.with(config).start()) {
            assertThat(setup.get(false, "cookie", "a=b; session=" + VALID).status())
                    .isEqualTo(200);
            assertThat(setup.get(false, "authorization", "Bearer " + VALID).status())
                    .isEqualTo(401);
        }
    }

    @Test
    void backendDoesNotReceiveTheToken() throws Exception {
        for (String header : new String[] {"Authorization", "X-Token"}) {
            boolean isBearer = header.equals("Authorization");
            JwtTokenPlace place =
                    isBearer ? JwtTokenPlace.AUTHORIZATION : new JwtTokenPlace(JwtTokenPlace.Kind.HEADER, header);
            try (JwtSetup setup = JwtSetup.with(JwtSetup.config().from(place).withoutForwarding())
                    .start()) {
                String value = isBearer ? "Bearer " + VALID : VALID;

                assertThat(setup.get(false, header.toLowerCase(Locale.ROOT), value)
                                .status())
                        .isEqualTo(200);
                assertThat(setup.backend().nextRequest()).doesNotContain(VALID).doesNotContainIgnoringCase(header);
            }
        }
    }

    @Test
    void claimCannotAddAHeader() throws Exception {
        String token = TestTokens.signed(TestTokens.claims("\"sub\":\"al\\r\\nX-Admin: 1\\u00e9\""));
        try (JwtSetup setup =
                JwtSetup.with(JwtSetup.config().header("X-User", "sub")).start()) {
            assertThat(setup.get(false, "authorization", "Bearer " + token).status())
                    .isEqualTo(200);
            assertThat(setup.backend().nextRequest()).contains("X-User: al%0D%0AX-Admin: 1%C3%A9\r\n");
        }
    }
}
