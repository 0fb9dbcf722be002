package io.ballast.policy.jwt.token;

import io.ballast.policy.config.jwt.JwtAlgorithm;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses tokens in the compact form (RFC 7515 section 7.1). Only {@code alg}, {@code kid}, {@code typ} and {@code crit} of
 * the header have a meaning. Keys and addresses of keys in a token, such as {@code jwk} and {@code jku}, are ignored: an
 * attacker can set them. Extensions are not supported, so every token with {@code crit} is refused.
 */
public final class TokenParser {

    /** The maximum length of a token in bytes. */
    public static final int MAX_BYTES = 8192;

    private TokenParser() {}

    /** Parses a token, which must not be modified later. Cost: linear in its length. */
    public static TokenResult parse(byte[] token) {
        if (token.length > MAX_BYTES) {
            return TokenProblem.TOO_LARGE;
        }
        int first = dot(token, 0);
        int second = dot(token, first + 1);
        if (first == token.length || second == token.length || dot(token, second + 1) != token.length) {
            return TokenProblem.MALFORMED;
        }
        Map<String, Object> header = object(token, 0, first);
        if (header == null) {
            return TokenProblem.MALFORMED;
        }
        if (header.containsKey("crit")) {
            return TokenProblem.CRITICAL;
        }
        JwtAlgorithm algorithm = header.get("alg") instanceof String name ? JwtAlgorithm.of(name) : null;
        if (algorithm == null) {
            return TokenProblem.ALGORITHM;
        }
        byte[] signature = StrictBase64.decode(token, second + 1, token.length);
        Map<String, Object> claims = object(token, first + 1, second);
        if (signature == null || signature.length == 0 || claims == null) {
            return TokenProblem.MALFORMED;
        }
        if (!(header.getOrDefault("kid", "") instanceof String keyId)
                || !(header.getOrDefault("typ", "") instanceof String type)) {
            return TokenProblem.MALFORMED;
        }
        return new ParsedToken(token, second, algorithm, keyId, type, new TokenClaims(claims), signature);
    }

    /** Returns the position of the next dot, or the length of the token. */
    private static int dot(byte[] token, int from) {
        int at = Math.min(from, token.length);
        while (at < token.length && token[at] != '.') {
            at++;
        }
        return at;
    }

    private static @Nullable Map<String, Object> object(byte[] token, int from, int to) {
        byte[] text = StrictBase64.decode(token, from, to);
        if (text == null) {
            return null;
        }
        try {
            return StrictJson.object(text);
        } catch (IOException malformed) {
            return null;
        }
    }
}
