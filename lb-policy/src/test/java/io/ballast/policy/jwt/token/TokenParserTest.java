package io.ballast.policy.jwt.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.policy.config.jwt.JwtAlgorithm;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenParserTest {

    private static final String HEADER = "{\"alg\":\"ES256\",\"kid\":\"k\",\"typ\":\"JWT\"}";
    private static final String CLAIMS = "{\"sub\":\"alice\"}";

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String encode(String text) {
        return encode(text.getBytes(StandardCharsets.UTF_8));
    }

    private static TokenResult parse(String token) {
        return TokenParser.parse(token.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static TokenResult parse(String header, String claims) {
        return parse(encode(header) + "." + encode(claims) + ".AAAA");
    }

    @Test
    void returnsThePartsOfAToken() {
        ParsedToken token = (ParsedToken) parse(HEADER, CLAIMS);

        assertThat(token.algorithm()).isEqualTo(JwtAlgorithm.ES256);
        assertThat(token.keyId()).isEqualTo("k");
        assertThat(token.type()).isEqualTo("JWT");
        assertThat(token.claims().string("sub")).isEqualTo("alice");
        assertThat(token.signature()).containsExactly(0, 0, 0);
        assertThat(new String(token.signedPart(), StandardCharsets.US_ASCII))
                .isEqualTo(encode(HEADER) + "." + encode(CLAIMS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "None", "NONE", "nOnE", "", "es256", "ES256K", "HS1", "RSA1_5", "dir"})
    void refusesOtherAlgorithms(String algorithm) {
        assertThat(parse("{\"alg\":\"" + algorithm + "\"}", CLAIMS)).isEqualTo(TokenProblem.ALGORITHM);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"alg\":null}", "{\"alg\":1}", "{\"alg\":[\"ES256\"]}", "{\"ALG\":\"ES256\"}"})
    void refusesHeaderWithoutAlgorithm(String header) {
        assertThat(parse(header, CLAIMS)).isEqualTo(TokenProblem.ALGORITHM);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[\"exp\"]", "[\"b64\"]", "[]", "\"x\""})
    void refusesExtensions(String critical) {
        assertThat(parse("{\"alg\":\"ES256\",\"crit\":" + critical + ",\"b64\":false}", CLAIMS))
                .isEqualTo(TokenProblem.CRITICAL);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{\"alg\":\"ES256\",\"alg\":\"none\"} | {}",
                "{\"alg\":\"ES256\",\"\\u0061lg\":\"none\"} | {}",
                "{\"alg\":\"ES256\"} | {\"sub\":\"a\",\"sub\":\"b\"}",
                "{\"alg\":\"ES256\"} | {\"a\":{\"b\":1,\"b\":2}}",
                "{\"alg\":\"ES256\"} | {\"sub\":\"a\"} {}",
                "{\"alg\":\"ES256\"} | {\"sub\":\"a\",}",
                "{\"alg\":\"ES256\"} | {\"sub\":NaN}",
                "{\"alg\":\"ES256\"} | [\"sub\"]",
                "{\"alg\":\"ES256\"} | \"text\"",
                "{\"alg\":\"ES256\",\"cty\":\"JWT\"} | e30.e30.AAAA",
                "{\"alg\":\"ES256\",\"kid\":1} | {}",
                "{\"alg\":\"ES256\",\"typ\":{}} | {}",
            })
    void refusesAmbiguousOrInvalidJson(String header, String claims) {
        assertThat(parse(header, claims)).isEqualTo(TokenProblem.MALFORMED);
    }

    @Test
    void refusesDeeplyNestedClaims() {
        String nested = "[".repeat(StrictJson.MAX_DEPTH - 1) + "]".repeat(StrictJson.MAX_DEPTH - 1);
        assertThat(parse(HEADER, "{\"a\":" + nested + "}")).isInstanceOf(ParsedToken.class);
        assertThat(parse(HEADER, "{\"a\":[" + nested + "]}")).isEqualTo(TokenProblem.MALFORMED);
        assertThat(parse(HEADER, "{\"a\":" + "[".repeat(3000))).isEqualTo(TokenProblem.MALFORMED);
    }

    @Test
    void refusesTextThatIsNotUtf8() {
        byte[] invalid = "{\"sub\":\"\u00ff\"}".getBytes(StandardCharsets.ISO_8859_1);
        byte[] utf16 = CLAIMS.getBytes(StandardCharsets.UTF_16);

        assertThat(parse(encode(HEADER) + "." + encode(invalid) + ".AAAA")).isEqualTo(TokenProblem.MALFORMED);
        assertThat(parse(encode(HEADER) + "." + encode(utf16) + ".AAAA")).isEqualTo(TokenProblem.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "...", "e30", "e30.e30", "e30.e30.AA.AA", "e30.e30.AA.AA.AA", "*.e30.AA"})
    void refusesOtherForms(String token) {
        assertThat(parse(token)).isEqualTo(TokenProblem.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "AAB", "AB", "AAAA=", "AA==", "A AA", "A+AA", "A/AA", "AAA\u00e9"})
    void refusesSignatureWithAnotherSpelling(String signature) {
        assertThat(parse(encode(HEADER) + "." + encode(CLAIMS) + "." + signature))
                .isEqualTo(TokenProblem.MALFORMED);
    }

    @Test
    void refusesLongToken() {
        String rest = encode(HEADER) + "." + encode(CLAIMS) + ".";
        String signature = "A".repeat((TokenParser.MAX_BYTES - rest.length()) / 4 * 4);

        assertThat(parse(rest + signature)).isInstanceOf(ParsedToken.class);
        assertThat(parse(rest + signature + "AAAA")).isEqualTo(TokenProblem.TOO_LARGE);
    }
}
