package io.ballast.policy.config.jwt;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The accepted signature algorithms of JSON Web Tokens: those of
 * <a href="https://datatracker.ietf.org/doc/html/rfc7518#section-3.1">RFC 7518 section 3.1</a> except {@code none}, and
 * {@code EdDSA} of <a href="https://datatracker.ietf.org/doc/html/rfc8037#section-3.1">RFC 8037 section 3.1</a>.
 */
public enum JwtAlgorithm {
    RS256,
    RS384,
    RS512,
    PS256,
    PS384,
    PS512,
    ES256,
    ES384,
    ES512,
    EDDSA,
    HS256,
    HS384,
    HS512;

    private static final Map<String, JwtAlgorithm> BY_TEXT =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(JwtAlgorithm::text, Function.identity()));

    /** Returns the algorithm with this name, which is case-sensitive; null if there is none. */
    public static @Nullable JwtAlgorithm of(String text) {
        return BY_TEXT.get(text);
    }

    /** The value of the header parameter {@code alg}. */
    public String text() {
        return this == EDDSA ? "EdDSA" : name();
    }

    /** Whether the verifier needs the secret of the issuer, instead of a public key. */
    public boolean isSymmetric() {
        return this == HS256 || this == HS384 || this == HS512;
    }

    /**
     * The minimum length of the secret in bytes, which is the length of the hash (RFC 7518 section 3.2); 0 if the
     * algorithm is not symmetric.
     */
    public int minSecretBytes() {
        return switch (this) {
            case HS256 -> 32;
            case HS384 -> 48;
            case HS512 -> 64;
            default -> 0;
        };
    }
}
