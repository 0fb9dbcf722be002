package io.ballast.policy.oidc.provider;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The claims and tokens of a user. Immutable.
 *
 * @param claims the claims of the verified ID token and, if needed, the claims of the userinfo endpoint
 * @param idToken the ID token, for the logout; empty if the provider sent none
 * @param refreshToken the refresh token; empty if there is none
 * @param expiresMillis when the access token expires, in milliseconds since 1970; 0 if that is unknown
 */
public record UserGrant(Map<String, Object> claims, String idToken, String refreshToken, long expiresMillis) {

    /** Returns a copy that also has the claims of an earlier grant that this one lacks. */
    UserGrant after(UserGrant earlier) {
        Map<String, Object> all = new LinkedHashMap<>(earlier.claims);
        all.putAll(claims);
        return new UserGrant(all, idToken, refreshToken, expiresMillis);
    }

    @Override
    public String toString() {
        return "UserGrant[...]";
    }
}
