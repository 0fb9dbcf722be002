package io.ballast.policy.jwt.key;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import io.ballast.policy.config.jwt.JwtAlgorithm;
import java.security.GeneralSecurityException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A key with the algorithms for which it may be used. Thread safety: all methods may be called concurrently. */
public final class VerificationKey {

    private static final Set<JwtAlgorithm> RSA = EnumSet.range(JwtAlgorithm.RS256, JwtAlgorithm.PS512);
    private static final int MIN_RSA_BITS = 2048; // RFC 7518 section 3.3
    private static final int MAX_RSA_BITS = 8192;

    /** The public key; null for a secret. */
    private final @Nullable JWK jwk;

    private final String id;
    private final Set<JwtAlgorithm> algorithms;
    private final SignatureCheck check;
    private volatile boolean retired;

    private VerificationKey(@Nullable JWK jwk, String id, Set<JwtAlgorithm> algorithms, SignatureCheck check) {
        this.jwk = jwk;
        this.id = id;
        this.algorithms = algorithms;
        this.check = check;
    }

    /**
     * Returns the key of a JWK; empty if it is not a public key for signatures that is long enough. Certificates and
     * addresses in the JWK are ignored.
     */
    public static Optional<VerificationKey> of(JWK jwk) {
        Set<JwtAlgorithm> algorithms = algorithms(jwk);
        if (algorithms.isEmpty()) {
            return Optional.empty();
        }
        JWK publicKey = jwk.toPublicJWK();
        String id = publicKey.getKeyID() == null ? "" : publicKey.getKeyID();
        try {
            return Optional.of(new VerificationKey(publicKey, id, algorithms, check(publicKey)));
        } catch (JOSEException | GeneralSecurityException | IllegalArgumentException unusable) {
            return Optional.empty();
        }
    }

    /**
     * Returns a secret key for HS256, HS384 and HS512, except for algorithms that need a longer secret.
     *
     * @param secret at least 32 bytes
     */
    public static VerificationKey ofSecret(byte[] secret) {
        Set<JwtAlgorithm> algorithms = EnumSet.noneOf(JwtAlgorithm.class);
        for (JwtAlgorithm algorithm : JwtAlgorithm.values()) {
            if (algorithm.isSymmetric() && secret.length >= algorithm.minSecretBytes()) {
                algorithms.add(algorithm);
            }
        }
        try {
            return new VerificationKey(null, "", algorithms, library(new MACVerifier(secret)));
        } catch (JOSEException tooShort) {
            throw new IllegalArgumentException("secret: " + secret.length + " bytes (expected: >= 32)", tooShort);
        }
    }

    /** The algorithms for which {@code kty}, {@code crv}, {@code alg}, {@code use} and {@code key_ops} permit the key. */
    private static Set<JwtAlgorithm> algorithms(JWK jwk) {
        boolean isForSignatures = (jwk.getKeyUse() == null || jwk.getKeyUse().equals(KeyUse.SIGNATURE))
                && (jwk.getKeyOperations() == null
                        || jwk.getKeyOperations().contains(KeyOperation.VERIFY)
                        || (jwk.isPrivate() && jwk.getKeyOperations().contains(KeyOperation.SIGN)));
        Set<JwtAlgorithm> algorithms = EnumSet.noneOf(JwtAlgorithm.class);
        if (isForSignatures) {
            algorithms.addAll(ofType(jwk));
        }
        if (jwk.getAlgorithm() != null) {
            String only = jwk.getAlgorithm().getName();
            algorithms.removeIf(algorithm -> !algorithm.text().equals(only)
                    && !(algorithm == JwtAlgorithm.EDDSA && isCurve(jwk, only))); // RFC 9864
        }
        return algorithms;
    }

    private static boolean isCurve(JWK jwk, String name) {
        return jwk instanceof OctetKeyPair pair && pair.getCurve().getName().equals(name);
    }

    private static Set<JwtAlgorithm> ofType(JWK jwk) {
        if (jwk instanceof RSAKey) {
            return jwk.size() >= MIN_RSA_BITS && jwk.size() <= MAX_RSA_BITS ? RSA : Set.of();
        }
        if (jwk instanceof ECKey key) {
            Curve curve = key.getCurve();
            return curve.equals(Curve.P_256)
                    ? Set.of(JwtAlgorithm.ES256)
                    : curve.equals(Curve.P_384)
                            ? Set.of(JwtAlgorithm.ES384)
                            : curve.equals(Curve.P_521) ? Set.of(JwtAlgorithm.ES512) : Set.of();
        }
        return jwk instanceof OctetKeyPair pair && EdwardsKey.isSupported(pair) ? Set.of(JwtAlgorithm.EDDSA) : Set.of();
    }

    private static SignatureCheck check(JWK jwk) throws JOSEException, GeneralSecurityException {
        if (jwk instanceof RSAKey key) {
            return library(new RSASSAVerifier(key));
        }
        if (jwk instanceof ECKey key) {
            return library(new ECDSAVerifier(key));
        }
        return EdwardsKey.check(jwk.toOctetKeyPair());
    }

    private static SignatureCheck library(JWSVerifier verifier) {
        return (algorithm, content, signature) -> verifier.verify(
                new JWSHeader(JWSAlgorithm.parse(algorithm.text())), content, Base64URL.encode(signature));
    }

    /** Whether the key may verify a token with this algorithm and {@code kid}, which is empty if it is missing. */
    boolean fits(JwtAlgorithm algorithm, String keyId) {
        return algorithms.contains(algorithm) && (keyId.isEmpty() || id.isEmpty() || keyId.equals(id));
    }

    /** Whether the key verifies a signature of {@code content}. Cost: up to 1 ms. */
    public boolean verifies(JwtAlgorithm algorithm, byte[] content, byte[] signature) {
        try {
            return algorithms.contains(algorithm) && check.verify(algorithm, content, signature);
        } catch (GeneralSecurityException | JOSEException | RuntimeException invalid) {
            return false; // for example, the signature has the wrong length
        }
    }

    /** Whether both keys were created from equal JWKs. */
    boolean isOf(VerificationKey other) {
        return jwk != null && jwk.equals(other.jwk);
    }

    /** Whether the issuer has removed the key, so that its tokens are no longer valid. */
    public boolean isRetired() {
        return retired;
    }

    void retire() {
        retired = true;
    }
}
