package io.ballast.policy.jwt;

import io.ballast.http.policy.Identity;
import io.ballast.policy.jwt.key.VerificationKey;
import io.ballast.policy.jwt.token.ParsedToken;
import io.ballast.policy.jwt.token.TokenClaims;
import io.ballast.policy.jwt.token.TokenRules;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Verifies the signatures of tokens. Immutable. Cost: up to 1 ms for each key, so it does not run on event loops. */
final class TokenVerifier {

    private final TokenRules rules;
    private final Map<String, String> headers;

    /** @param headers the name of each request header, with the name of the claim that it carries */
    TokenVerifier(TokenRules rules, Map<String, String> headers) {
        this.rules = rules;
        this.headers = headers;
    }

    /** Returns the token if one of the keys has signed it; otherwise null. */
    @Nullable VerifiedToken verify(ParsedToken token, List<VerificationKey> keys) {
        byte[] signed = token.signedPart();
        for (VerificationKey key : keys) {
            if (key.verifies(token.algorithm(), signed, token.signature())) {
                return verified(token.claims(), key);
            }
        }
        return null;
    }

    private VerifiedToken verified(TokenClaims claims, VerificationKey key) {
        return new VerifiedToken(
                key,
                rules.expiresMillis(claims),
                rules.permits(claims),
                new Identity(claims.text("sub"), claims.texts()),
                claims.headerLines(headers));
    }
}
