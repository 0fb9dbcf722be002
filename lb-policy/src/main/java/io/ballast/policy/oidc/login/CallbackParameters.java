package io.ballast.policy.oidc.login;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of an authorization response (RFC 6749 section 4.1.2, RFC 9207 section 2). Immutable.
 *
 * @param code the authorization code; empty if the response is an error
 * @param issuer the issuer; empty if the response does not contain it
 * @param error the error code; empty if the response is not an error
 */
record CallbackParameters(String code, String state, String issuer, String error) {

    private static final int MAX_VALUE = 4096;

    /** Reads a query; returns null if it is malformed, or has a parameter twice. */
    static @Nullable CallbackParameters parse(String query) {
        Map<String, String> values = new HashMap<>();
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            if (!name.equals("code") && !name.equals("state") && !name.equals("iss") && !name.equals("error")) {
                continue; // ignores other parameters, such as session_state
            }
            String value;
            try {
                value = equals < 0 ? "" : URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException malformed) {
                return null;
            }
            if (value.length() > MAX_VALUE || values.putIfAbsent(name, value) != null) {
                return null;
            }
        }
        return new CallbackParameters(
                values.getOrDefault("code", ""),
                values.getOrDefault("state", ""),
                values.getOrDefault("iss", ""),
                values.getOrDefault("error", ""));
    }

    @Override
    public String toString() {
        return "CallbackParameters[...]";
    }
}
