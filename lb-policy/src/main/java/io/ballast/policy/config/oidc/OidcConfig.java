package io.ballast.policy.config.oidc;

import io.ballast.core.Checks;
import io.ballast.policy.config.PolicyRule;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Login of users at an OpenID provider (OpenID Connect Core 1.0, authorization code flow).
 *
 * @param required the values that claims of a user must contain, by claim; a user needs all of them
 * @param headers the request headers in which the backend receives claims: the name of each header, with the name of
 *     its claim
 * @param identity the claim with the name of the user, for logs and limits
 * @param session how long a user stays logged in, from 1 min to 30 days
 */
public record OidcConfig(
        OidcClient client,
        OidcPages pages,
        OidcCookie cookie,
        Map<String, List<String>> required,
        Map<String, String> headers,
        String identity,
        Duration session)
        implements PolicyRule {

    public static final String DEFAULT_IDENTITY = "sub";
    public static final Duration DEFAULT_SESSION = Duration.ofHours(8);
    public static final Duration MIN_SESSION = Duration.ofMinutes(1);
    public static final Duration MAX_SESSION = Duration.ofDays(30);

    public OidcConfig {
        required = Collections.unmodifiableMap(new LinkedHashMap<>(required));
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        Checks.that(
                session.compareTo(MIN_SESSION) >= 0 && session.compareTo(MAX_SESSION) <= 0,
                "session",
                session,
                "1m to 30d");
    }

    /** The claims that the policy itself uses. */
    public Set<String> neededClaims() {
        Set<String> needed = new LinkedHashSet<>(required.keySet());
        needed.addAll(headers.values());
        needed.add(identity);
        return needed;
    }

    /** Returns a copy with another cookie. */
    public OidcConfig withCookie(OidcCookie other) {
        return new OidcConfig(client, pages, other, required, headers, identity, session);
    }

    @Override
    public String kind() {
        return "oidc";
    }

    @Override
    public boolean authenticates() {
        return true;
    }
}
