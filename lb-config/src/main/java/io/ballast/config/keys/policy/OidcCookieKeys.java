package io.ballast.config.keys.policy;

import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.core.config.SameSite;
import io.ballast.policy.config.oidc.OidcCookie;
import io.ballast.policy.config.oidc.OidcSecret;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The keys of {@code policies.NAME.oidc.cookie}. */
final class OidcCookieKeys {

    private static final Map<String, SameSite> SAME_SITE_WORDS = Stream.of(SameSite.LAX, SameSite.NONE)
            .collect(Collectors.toMap(SameSite::label, word -> word, (one, other) -> one, LinkedHashMap::new));

    private static final ShapeBuilder<OidcCookie> KEYS = Shape.named(
            "oidc_cookie",
            "The encrypted cookie that contains a session. It is HttpOnly, and Secure if the client uses TLS.");

    private static final Key<String> NAME = KEYS.optional(
            "name",
            Scalars.matching("name", "1 to 64 letters, digits and . _ -", "(?!__)[A-Za-z0-9._-]{1,64}"),
            OidcCookie.DEFAULT_NAME,
            "name of the cookie, to which __Host- or, with domain, __Secure- is added if the client uses TLS",
            OidcCookie::name);
    private static final Key<Path> SECRET_FILE = KEYS.optional(
            "secret_file",
            new FileType(),
            "file with a secret of 32 characters or more in each line, read at startup and at each reload; the first"
                    + " encrypts, all decrypt; default: a secret that is generated in data_dir, or those of the cluster with cluster.secret_key",
            OidcCookie::secretFile);
    private static final Key<String> DOMAIN = KEYS.optional(
            "domain",
            Scalars.matching("domain", "a domain such as example.com", "[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+"),
            "domain whose hosts receive the cookie; default: only the host of the login",
            OidcCookie::domain);
    private static final Key<SameSite> SAME_SITE = KEYS.optional(
            "same_site",
            Scalars.choice(SAME_SITE_WORDS, SameSite::label),
            OidcCookie.DEFAULT.sameSite(),
            "SameSite attribute: whether browsers send the cookie with cross-site requests; strict is not possible,"
                    + " because browsers would not send the cookie after a login at the provider",
            OidcCookie::sameSite);

    static final Type<OidcCookie> COOKIE = KEYS.build(OidcCookieKeys::build);

    private OidcCookieKeys() {}

    private static OidcCookie build(Values values) {
        List<OidcSecret> secrets = values.has(SECRET_FILE) ? OidcSecretFiles.cookie(values, SECRET_FILE) : List.of();
        return new OidcCookie(
                values.get(NAME), secrets, values.find(SECRET_FILE), values.find(DOMAIN), values.get(SAME_SITE));
    }
}
