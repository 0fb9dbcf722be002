package io.ballast.policy.oidc.session;

import io.ballast.policy.jwt.token.StrictJson;
import io.ballast.policy.oidc.provider.UserGrant;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The content of a session's cookie. Immutable.
 *
 * @param id identifies the session; stays the same when it is refreshed
 * @param issuedMillis when the grant was obtained, in milliseconds since 1970
 * @param endMillis when the session ends
 */
public record SessionContent(String id, long issuedMillis, long endMillis, UserGrant grant) {

    /** Claims of ID tokens that belong to the protocol and do not describe the user. */
    private static final Set<String> PROTOCOL_CLAIMS = Set.of(
            "iss",
            "aud",
            "azp",
            "exp",
            "nbf",
            "iat",
            "jti",
            "nonce",
            "at_hash",
            "c_hash",
            "s_hash",
            "auth_time",
            "acr",
            "amr",
            "sid",
            "session_state",
            "typ",
            "updated_at");

    boolean needsRefresh() {
        return grant.expiresMillis() != 0 && !grant.refreshToken().isEmpty();
    }

    /** See {@link Session#renewMillis}. */
    public long renewMillis() {
        return needsRefresh() ? grant.expiresMillis() : Long.MAX_VALUE;
    }

    /** Returns the content with the claims that describe the user, and the needed claims. */
    SessionContent withUserClaims(Set<String> needed) {
        return withClaims(name -> !PROTOCOL_CLAIMS.contains(name) || needed.contains(name));
    }

    /** Returns the content with the needed claims, and the identifier of the user. */
    SessionContent withNeededClaims(Set<String> needed) {
        return withClaims(name -> name.equals("sub") || needed.contains(name));
    }

    private SessionContent withClaims(Predicate<String> kept) {
        Map<String, Object> claims = new LinkedHashMap<>(grant.claims());
        claims.keySet().removeIf(kept.negate());
        return with(new UserGrant(claims, grant.idToken(), grant.refreshToken(), grant.expiresMillis()));
    }

    SessionContent withoutIdToken() {
        return with(new UserGrant(grant.claims(), "", grant.refreshToken(), grant.expiresMillis()));
    }

    private SessionContent with(UserGrant other) {
        return new SessionContent(id, issuedMillis, endMillis, other);
    }

    byte[] encode() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("i", id);
        members.put("a", issuedMillis);
        members.put("e", endMillis);
        members.put("x", grant.expiresMillis());
        members.put("r", grant.refreshToken());
        members.put("t", grant.idToken());
        members.put("c", grant.claims());
        return ClaimJson.bytes(members);
    }

    /** Returns the content of a decrypted cookie; null if its format is unknown, such as that of a newer version. */
    static @Nullable SessionContent decode(byte[] text) {
        Map<String, Object> members;
        try {
            members = StrictJson.object(text);
        } catch (IOException e) {
            return null;
        }
        if (!(members.get("i") instanceof String id)
                || !(members.get("a") instanceof Number issued)
                || !(members.get("e") instanceof Number end)
                || !(members.get("x") instanceof Number expires)
                || !(members.get("r") instanceof String refreshToken)
                || !(members.get("t") instanceof String idToken)
                || !(members.get("c") instanceof Map<?, ?> claims)) {
            return null;
        }
        Map<String, Object> named = new LinkedHashMap<>();
        claims.forEach((name, value) -> named.put(String.valueOf(name), value));
        return new SessionContent(
                id,
                issued.longValue(),
                end.longValue(),
                new UserGrant(named, idToken, refreshToken, expires.longValue()));
    }

    @Override
    public String toString() {
        return "SessionContent[...]";
    }
}
