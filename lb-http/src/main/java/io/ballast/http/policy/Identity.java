package io.ballast.http.policy;

import java.util.Map;

/**
 * The authenticated sender of a request. Immutable.
 *
 * @param name the name of a user, of an API key's owner, or of another subject; empty if unknown
 * @param claims further statements about the subject, by name, such as the claims of a JSON Web Token
 */
public record Identity(String name, Map<String, String> claims) {

    /** The identity of a request without authentication. */
    public static final Identity UNKNOWN = new Identity("", Map.of());

    public Identity {
        claims = Map.copyOf(claims);
    }

    /** Creates an identity without claims. */
    public Identity(String name) {
        this(name, Map.of());
    }
}
