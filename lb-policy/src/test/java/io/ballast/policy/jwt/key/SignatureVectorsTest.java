package io.ballast.policy.jwt.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.impl.ECDSA;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.ballast.policy.config.jwt.JwtAlgorithm;
import io.ballast.policy.config.jwt.JwtClaimRules;
import io.ballast.policy.jwt.token.ParsedToken;
import io.ballast.policy.jwt.token.StrictJson;
import io.ballast.policy.jwt.token.TokenParser;
import io.ballast.policy.jwt.token.TokenProblem;
import io.ballast.policy.jwt.token.TokenRules;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the signatures in the examples of RFC 7515, RFC 7520 and RFC 8037, and changed copies of them. */
class SignatureVectorsTest {

    private static final BigInteger ED25519_ORDER =
            BigInteger.ONE.shiftLeft(252).add(new BigInteger("27742317777372353535851937790883648493"));

    /** A key, and a token that was signed with it, as in an example of an RFC. */
    @SuppressWarnings("ArrayRecordComponent") // instances are never compared
    private record Vector(String name, String jwk, String[] parts) {

        byte[] content() {
            return (parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII);
        }

        byte[] signature() {
            return Base64.getUrlDecoder().decode(parts[2]);
        }

        JwtAlgorithm algorithm() throws IOException {
            Object name =
                    StrictJson.object(Base64.getUrlDecoder().decode(parts[0])).get("alg");
            return JwtAlgorithm.of(String.valueOf(name));
        }

        VerificationKey key() throws Exception {
            JWK key = JWK.parse(jwk);
            return key instanceof OctetSequenceKey secret
                    ? VerificationKey.ofSecret(secret.toByteArray())
                    : VerificationKey.of(key).orElseThrow();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static List<Vector> vectors() throws IOException {
        List<Vector> vectors = new ArrayList<>();
        try (InputStream in = SignatureVectorsTest.class.getResourceAsStream("vectors.tsv")) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.US_ASCII).split("\n")) {
                String[] fields = line.split("\t");
                vectors.add(new Vector(fields[0], fields[1], fields[2].split("\\.")));
            }
        }
        assertThat(vectors).hasSize(8);
        return vectors;
    }

    private static Vector vector(String name) throws IOException {
        return vectors().stream()
                .filter(vector -> vector.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void verifiesExample(Vector vector) throws Exception {
        assertThat(vector.key().verifies(vector.algorithm(), vector.content(), vector.signature()))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"})
    void verifiesEachAlgorithmOfRsaKeys(String name) throws Exception {
        RSAKey key = new RSAKeyGenerator(2048).generate();

        assertVerifiesOnly(name, key, new RSASSASigner(key));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ES256", "ES384", "ES512"})
    void verifiesEachAlgorithmOfEllipticCurves(String name) throws Exception {
        ECKey key = new ECKeyGenerator(Curve.forJWSAlgorithm(JWSAlgorithm.parse(name))
                        .iterator()
                        .next())
                .generate();

        assertVerifiesOnly(name, key, new ECDSASigner(key));
    }

    private static void assertVerifiesOnly(String name, JWK key, JWSSigner signer) throws Exception {
        byte[] content = "content".getBytes(StandardCharsets.US_ASCII);
        byte[] signature =
                signer.sign(new JWSHeader(JWSAlgorithm.parse(name)), content).decode();
        VerificationKey verifying = VerificationKey.of(key.toPublicJWK()).orElseThrow();
        for (JwtAlgorithm algorithm : JwtAlgorithm.values()) {
            assertThat(verifying.verifies(algorithm, content, signature))
                    .as(algorithm.text())
                    .isEqualTo(algorithm.text().equals(name));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RFC 7515 A.1", "RFC 7515 A.2", "RFC 7515 A.3"})
    void exampleTokenIsAcceptedUntilItExpires(String name) throws Exception {
        Vector vector = vector(name);
        JwtClaimRules claims =
                new JwtClaimRules(List.of("joe"), List.of(), List.of(), Duration.ofSeconds(30), Map.of());
        TokenRules rules = new TokenRules(Set.of(vector.algorithm()), claims);
        ParsedToken token =
                (ParsedToken) TokenParser.parse(String.join(".", vector.parts()).getBytes(StandardCharsets.US_ASCII));

        assertThat(rules.check(token, 1_300_819_409_999L)).isNull();
        assertThat(rules.check(token, 1_300_819_410_000L)).isEqualTo(TokenProblem.EXPIRED);
        assertThat(token.claims().text("http://example.com/is_root")).isEqualTo("true");
        assertThat(vector.key().verifies(token.algorithm(), token.signedPart(), token.signature()))
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void rejectsChangedContent(Vector vector) throws Exception {
        byte[] content = vector.content();
        content[content.length - 1] ^= 1;

        assertThat(vector.key().verifies(vector.algorithm(), content, vector.signature()))
                .isFalse();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void rejectsChangedSignature(Vector vector) throws Exception {
        byte[] signature = vector.signature();
        byte[] longer = Arrays.copyOf(signature, signature.length + 1);
        byte[] shorter = Arrays.copyOf(signature, signature.length - 1);
        byte[] zero = new byte[signature.length];
        signature[signature.length / 2] ^= 1;
        for (byte[] changed : List.of(signature, longer, shorter, zero, new byte[0])) {
            assertThat(vector.key().verifies(vector.algorithm(), vector.content(), changed))
                    .isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void keyVerifiesNoOtherFamily(Vector vector) throws Exception {
        String family = vector.algorithm().text().substring(0, 2);
        for (JwtAlgorithm other : JwtAlgorithm.values()) {
            boolean isRsa = vector.jwk().contains("RSA")
                    && (other.text().startsWith("RS") || other.text().startsWith("PS"));
            if (!isRsa && !other.text().startsWith(family)) {
                assertThat(vector.key().fits(other, "")).as(other.text()).isFalse();
                assertThat(vector.key().verifies(other, vector.content(), vector.signature()))
                        .isFalse();
            }
        }
    }

    /** Ed25519 signatures with {@code S + L} must be rejected (RFC 8032 section 5.1.7). */
    @Test
    void rejectsMalleableEdwardsSignature() throws Exception {
        Vector vector = vector("RFC 8037 A.4");
        byte[] signature = vector.signature();
        byte[] reversed = new byte[33];
        for (int i = 0; i < 32; i++) {
            reversed[32 - i] = signature[32 + i];
        }
        byte[] changed = new BigInteger(1, reversed).add(ED25519_ORDER).toByteArray();
        byte[] malleable = Arrays.copyOf(signature, signature.length);
        for (int i = 0; i < 32; i++) {
            int at = changed.length - 1 - i;
            malleable[32 + i] = at >= 0 ? changed[at] : 0;
        }

        assertThat(malleable).isNotEqualTo(signature);
        assertThat(vector.key().verifies(JwtAlgorithm.EDDSA, vector.content(), malleable))
                .isFalse();
    }

    /** ECDSA signatures of tokens are two numbers of fixed length, not a DER structure (RFC 7518 section 3.4). */
    @Test
    void rejectsDerSignature() throws Exception {
        Vector vector = vector("RFC 7515 A.3");
        byte[] der = ECDSA.transcodeSignatureToDER(vector.signature());

        assertThat(vector.key().verifies(JwtAlgorithm.ES256, vector.content(), der))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"kty\":\"EC\",\"crv\":\"P-256\",\"use\":\"enc\",%s}",
                "{\"kty\":\"EC\",\"crv\":\"P-256\",\"key_ops\":[\"deriveKey\"],%s}",
                "{\"kty\":\"EC\",\"crv\":\"P-256\",\"alg\":\"ES384\",%s}",
                "{\"kty\":\"EC\",\"crv\":\"P-384\",%s}",
                "{\"kty\":\"EC\",\"crv\":\"secp256k1\",%s}",
                "{\"kty\":\"future\",%s}",
            })
    void keyForOtherPurposeIsOmitted(String jwk) throws Exception {
        String point = "\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
                + "\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"";
        String unusable = jwk.replace("%s", point);
        String usable = "{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"good\"," + point + "}";
        KeySet keys = KeySet.parse("{\"keys\":[" + unusable + "," + usable + "]}");

        assertThat(keys.fitting(JwtAlgorithm.ES256, "")).hasSize(1);
        assertThat(keys.fitting(JwtAlgorithm.ES256, "good")).hasSize(1);
        assertThat(keys.fitting(JwtAlgorithm.ES256, "bad")).isEmpty();
        assertThat(keys.fitting(JwtAlgorithm.ES384, "")).isEmpty();
        assertThatThrownBy(() -> KeySet.parse("{\"keys\":[" + unusable + "]}")).hasMessageContaining("no public key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{}", "{\"keys\":1}", "{\"keys\":[],\"keys\":[]}", "{\"keys\":[]} x", "<html>"})
    void rejectsTextThatIsNoKeySet(String text) {
        assertThatThrownBy(() -> KeySet.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("JWK set: ");
    }

    @Test
    void secretInKeySetIsNotUsed() {
        String secret = "{\"kty\":\"oct\",\"kid\":\"s\",\"k\":\"hJtXIZ2uSN5kbQfbtTNWbpdmhkV8FJG-Onbc6mxCcYg\"}";

        assertThatThrownBy(() -> KeySet.parse("{\"keys\":[" + secret + "]}")).hasMessageContaining("no public key");
    }

    @Test
    void shortSecretDoesNotFitLongHash() {
        VerificationKey key = VerificationKey.ofSecret(new byte[48]);

        assertThat(key.fits(JwtAlgorithm.HS256, "any")).isTrue();
        assertThat(key.fits(JwtAlgorithm.HS384, "")).isTrue();
        assertThat(key.fits(JwtAlgorithm.HS512, "")).isFalse();
        assertThatThrownBy(() -> VerificationKey.ofSecret(new byte[31])).hasMessageContaining("31 bytes");
    }
}
