package io.ballast.policy.config.oidc;

import io.ballast.core.Checks;
import io.ballast.core.config.SameSite;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The cookie that contains a session.
 *
 * @param name the name, to which {@code __Host-} or {@code __Secure-} is added if the client uses TLS
 * @param secrets the sources of the keys: the first key encrypts, all keys decrypt; empty to use a key in the data
 *     directory
 * @param secretFile the file that contains the secrets; empty if the key is in the data directory
 * @param domain the domain whose hosts receive the cookie; empty for only the host that set it
 * @param sameSite {@code LAX} or {@code NONE}
 */
public record OidcCookie(
        String name, List<OidcSecret> secrets, Optional<Path> secretFile, Optional<String> domain, SameSite sameSite) {

    /** A secret has at least this many characters, so that it cannot be guessed. */
    public static final int MIN_SECRET_CHARACTERS = 32;

    public static final int MAX_SECRETS = 8;
    public static final String DEFAULT_NAME = "ballast_session";

    public static final OidcCookie DEFAULT =
            new OidcCookie(DEFAULT_NAME, List.of(), Optional.empty(), Optional.empty(), SameSite.LAX);

    public OidcCookie {
        secrets = List.copyOf(secrets);
        Checks.between(secrets.size(), 0, MAX_SECRETS, "number of secrets");
        for (OidcSecret secret : secrets) {
            int length = secret.text().length();
            Checks.that(
                    length >= MIN_SECRET_CHARACTERS,
                    "secret",
                    length + " characters",
                    "at least " + MIN_SECRET_CHARACTERS + " characters");
        }
        Checks.that(
                sameSite != SameSite.STRICT,
                "same_site",
                sameSite.label(),
                "lax or none; with strict, browsers would not send the cookie after a login at the provider");
    }

    /** Returns a copy with these secrets. */
    public OidcCookie withSecrets(List<OidcSecret> others) {
        return new OidcCookie(name, others, secretFile, domain, sameSite);
    }
}
