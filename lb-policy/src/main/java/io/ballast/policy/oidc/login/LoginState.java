package io.ballast.policy.oidc.login;

import io.ballast.policy.jwt.token.StrictJson;
import io.ballast.policy.oidc.session.ClaimJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A login that a browser has started. It is stored in a cookie, so that only this browser can complete it. Immutable.
 *
 * @param state the parameter {@code state}, {@value #STATE_CHARACTERS} characters (RFC 6749 section 10.12)
 * @param nonce the nonce of the ID token (OpenID Connect Core 1.0 section 15.5.2)
 * @param verifier the code verifier (RFC 7636 section 4.1)
 * @param origin the scheme and authority of the page that needs the login
 * @param target the path and query of the page
 * @param startedMillis the time of the start in milliseconds since 1970
 */
record LoginState(String state, String nonce, String verifier, String origin, String target, long startedMillis) {

    /** The length of a state, which contains 128 random bits. */
    static final int STATE_CHARACTERS = 22;

    /** The first characters of the state, which name the cookie. */
    static final int NAME_CHARACTERS = 8;

    static final long MAX_AGE_SECONDS = 600;

    private static final int STATE_BYTES = 16;
    private static final int VERIFIER_BYTES = 32;
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    static LoginState create(String origin, String target, long nowMillis, RandomGenerator random) {
        return new LoginState(
                random(STATE_BYTES, random),
                random(STATE_BYTES, random),
                random(VERIFIER_BYTES, random),
                origin,
                target,
                nowMillis);
    }

    /** Returns random bytes as text. */
    static String random(int bytes, RandomGenerator random) {
        byte[] drawn = new byte[bytes];
        random.nextBytes(drawn);
        return BASE64.encodeToString(drawn);
    }

    /** The challenge of the method S256 (RFC 7636 section 4.2). */
    String challenge() {
        try {
            return BASE64.encodeToString(
                    MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether the login belongs to a state and is not too old. */
    boolean fits(String other, long nowMillis) {
        boolean isEqual =
                MessageDigest.isEqual(state.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
        return isEqual && nowMillis - startedMillis < MAX_AGE_SECONDS * 1000;
    }

    /** Returns a copy for another page of the same origin, to which the user returns after the login. */
    LoginState withTarget(String other) {
        return new LoginState(state, nonce, verifier, origin, other, startedMillis);
    }

    byte[] encode() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("s", state);
        members.put("n", nonce);
        members.put("v", verifier);
        members.put("o", origin);
        members.put("u", target);
        members.put("a", startedMillis);
        return ClaimJson.bytes(members);
    }

    /** Returns the login of a decrypted cookie; null if its format is unknown. */
    static @Nullable LoginState decode(byte[] text) {
        Map<String, Object> members;
        try {
            members = StrictJson.object(text);
        } catch (IOException e) {
            return null;
        }
        return members.get("s") instanceof String state
                        && members.get("n") instanceof String nonce
                        && members.get("v") instanceof String verifier
                        && members.get("o") instanceof String origin
                        && members.get("u") instanceof String target
                        && members.get("a") instanceof Number started
                ? new LoginState(state, nonce, verifier, origin, target, started.longValue())
                : null;
    }

    @Override
    public String toString() {
        return "LoginState[...]";
    }
}
