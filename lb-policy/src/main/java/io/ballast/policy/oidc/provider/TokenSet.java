package io.ballast.policy.oidc.provider;

import io.ballast.policy.jwt.token.StrictJson;
import io.ballast.policy.oidc.provider.ProviderException.Kind;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;

/**
 * A successful answer of a token endpoint (RFC 6749 section 5.1). Immutable.
 *
 * @param idToken the ID token, which is not verified yet; empty if the answer has none
 * @param refreshToken the refresh token; empty if the answer has none
 * @param expiresSeconds the lifetime of the access token; 0 if it is unknown
 */
record TokenSet(String accessToken, String idToken, String refreshToken, long expiresSeconds) {

    private static final long MAX_SECONDS = 365L * 24 * 3600;

    static TokenSet parse(byte[] body) {
        Map<String, Object> members;
        try {
            members = StrictJson.object(body);
        } catch (IOException e) {
            throw new ProviderException(Kind.ANSWER, "the answer of the token endpoint is not a JSON object");
        }
        boolean isBearer = "bearer".equals(text(members, "token_type").toLowerCase(Locale.ROOT));
        String accessToken = text(members, "access_token");
        if (!isBearer || !accessToken.matches("[!-~]+")) {
            throw new ProviderException(Kind.ANSWER, "the answer of the token endpoint has no bearer token");
        }
        Object expires = members.get("expires_in");
        long seconds = expires instanceof Number number ? number.longValue() : 0;
        return new TokenSet(
                accessToken,
                text(members, "id_token"),
                text(members, "refresh_token"),
                Math.max(0, Math.min(MAX_SECONDS, seconds)));
    }

    private static String text(Map<String, Object> members, String name) {
        return members.get(name) instanceof String text ? text : "";
    }

    @Override
    public String toString() {
        return "TokenSet[...]";
    }
}
