package io.ballast.policy.jwt.token;

import io.ballast.policy.config.jwt.JwtAlgorithm;
import java.util.Arrays;

/**
 * A token whose signature has not been verified. Immutable; the arrays must not be modified.
 *
 * @param text the whole token
 * @param signedBytes the number of bytes of {@code text} that are signed: the header and the claims
 * @param keyId the header parameter {@code kid}; empty if it is missing
 * @param type the header parameter {@code typ}; empty if it is missing
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared
public record ParsedToken(
        byte[] text,
        int signedBytes,
        JwtAlgorithm algorithm,
        String keyId,
        String type,
        TokenClaims claims,
        byte[] signature)
        implements TokenResult {

    /** Returns the signed part of the token (RFC 7515 section 5.1 step 8). */
    public byte[] signedPart() {
        return Arrays.copyOf(text, signedBytes);
    }
}
