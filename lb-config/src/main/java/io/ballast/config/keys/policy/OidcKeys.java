package io.ballast.config.keys.policy;

import io.ballast.config.key.Durations;
import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.NamedType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.SecretType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.CaFiles;
import io.ballast.config.keys.common.HeaderNames;
import io.ballast.config.keys.common.OneOrMore;
import io.ballast.net.fetch.CaFile;
import io.ballast.policy.config.oidc.OidcClient;
import io.ballast.policy.config.oidc.OidcConfig;
import io.ballast.policy.config.oidc.OidcCookie;
import io.ballast.policy.config.oidc.OidcPages;
import io.ballast.policy.config.oidc.OidcSecret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of {@code policies.NAME.oidc}. */
final class OidcKeys {

    private static final String CLAIM_NAME = "[!-~]{1,256}";
    private static final Type<String> CLAIM = Scalars.matching("claim", "1 to 256 printable characters", CLAIM_NAME);
    private static final Type<Map<String, List<String>>> REQUIREMENTS =
            new NamedType<>(OneOrMore.of(Scalars.TEXT, "value"), CLAIM_NAME, "1 to 256 printable characters");
    private static final Type<Map<String, String>> CLAIMS_BY_HEADER =
            new NamedType<>(CLAIM, "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}", "the name of a header");
    private static final Type<String> PATH = Scalars.matching("path", "a path such as /oauth2/logout", "/[!-~]{0,255}");
    private static final Type<String> SCOPE =
            Scalars.matching("scope", "a scope such as email", "[!#-\\[\\]-~]{1,256}");

    private static final ShapeBuilder<OidcConfig> KEYS = Shape.named(
            "oidc",
            "Login of users at an OpenID provider, such as Keycloak (OpenID Connect, authorization code flow with"
                    + " PKCE). Browsers without a session are redirected to the provider; other requests get 401. While"
                    + " the provider has never been reachable, requests without a session get 503.");

    private static final Key<String> ISSUER = KEYS.required(
            "issuer",
            Scalars.matching(
                    "URL",
                    "a URL such as https://id.example; http only for a loopback address or with allow_http",
                    "https?://[!-~]{1,512}"),
            "identifier of the provider, exactly as its discovery document has it",
            config -> config.client().issuer());
    private static final Key<Boolean> ALLOW_HTTP = KEYS.optional(
            "allow_http",
            Scalars.BOOLEAN,
            /* fallback= */ false,
            "true: the provider may use http URLs of any host; an attacker on the network could then impersonate it",
            config -> config.client().allowHttp());
    private static final Key<String> CLIENT_ID = KEYS.required(
            "client_id",
            Scalars.matching("identifier", "1 to 512 printable characters", "[ -~]{1,512}"),
            "identifier of Ballast at the provider",
            config -> config.client().clientId());
    private static final Key<OidcSecret> CLIENT_SECRET = KEYS.optional(
            "client_secret",
            SecretType.of("secret", "1 to 1024 characters", "[\\s\\S]{1,1024}", OidcSecret::new, OidcSecret::text),
            "secret of Ballast at the provider; without it and client_secret_file, Ballast is a public client",
            config -> config.client().secretFile().isPresent()
                    ? Optional.empty()
                    : config.client().secret());
    private static final Key<Path> CLIENT_SECRET_FILE = KEYS.optional(
            "client_secret_file",
            new FileType(),
            "file that contains only the secret, as UTF-8; read at startup and at each reload",
            config -> config.client().secretFile());
    private static final Key<Path> CA_FILE = KEYS.optional(
            "ca_file",
            new FileType(),
            "PEM file with the CA certificates that verify the provider; read at startup and at each reload;"
                    + " default: those of the Java runtime",
            config -> config.client().ca().map(CaFile::file));
    private static final Key<List<String>> SCOPES = KEYS.optional(
            "scopes",
            OneOrMore.of(SCOPE, "scope"),
            OidcClient.DEFAULT_SCOPES,
            "requested scopes, in addition to openid; many providers need offline_access for a refresh",
            config -> config.client().scopes());
    private static final Key<String> CALLBACK = KEYS.optional(
            "callback",
            Scalars.matching(
                    "path or URL",
                    "a path such as /oauth2/callback, or a URL such as https://shop.example/oauth2/callback",
                    "(https?:/)?/[!-~]{0,511}"),
            OidcPages.DEFAULT.callback(),
            "path to which the provider sends users back; a route with this policy must match it. Set a whole URL if"
                    + " requests reach Ballast with another host or scheme than browsers use",
            config -> config.pages().callback());
    private static final Key<String> LOGOUT = KEYS.optional(
            "logout",
            PATH,
            OidcPages.DEFAULT.logout(),
            "path that ends the session here and at the provider; a route with this policy must match it",
            config -> config.pages().logout());
    private static final Key<String> AFTER_LOGOUT = KEYS.optional(
            "after_logout",
            Scalars.matching("URL", "a URL such as https://shop.example/", "https?://[!-~]{1,512}"),
            "URL to which the provider sends users after the logout; it must be registered there; default: none",
            config -> config.pages().afterLogout());
    private static final Key<OidcCookie> COOKIE = KEYS.optional(
            "cookie",
            OidcCookieKeys.COOKIE,
            OidcCookie.DEFAULT,
            "the cookie that contains the session",
            OidcConfig::cookie);
    private static final Key<Map<String, List<String>>> REQUIRE = KEYS.optional(
            "require",
            REQUIREMENTS,
            Map.of(),
            "values that claims of users must have, else they get 403; a claim with a list must contain them",
            OidcConfig::required);
    private static final Key<Map<String, String>> HEADERS = KEYS.optional(
            "headers",
            CLAIMS_BY_HEADER,
            Map.of(),
            "headers that tell backends the claims, such as X-User: email; removed from the requests of clients",
            OidcConfig::headers);
    private static final Key<String> IDENTITY = KEYS.optional(
            "identity",
            CLAIM,
            OidcConfig.DEFAULT_IDENTITY,
            "claim with the name of the user, for logs and for limits by identity",
            OidcConfig::identity);
    private static final Key<Duration> SESSION = KEYS.optional(
            "session",
            Durations.DURATION,
            OidcConfig.DEFAULT_SESSION,
            "how long users stay logged in, 1m to 30d",
            OidcConfig::session);

    static {
        KEYS.atMostOne(CLIENT_SECRET, CLIENT_SECRET_FILE);
    }

    static final Type<OidcConfig> OIDC = KEYS.build(OidcKeys::build);

    private OidcKeys() {}

    private static OidcConfig build(Values values) {
        for (String header : values.get(HEADERS).keySet()) {
            HeaderNames.refusal(header).ifPresent(problem -> values.reading().error(values.node(HEADERS), problem));
        }
        OidcClient client = new OidcClient(
                values.get(ISSUER),
                values.get(ALLOW_HTTP),
                values.get(CLIENT_ID),
                values.has(CLIENT_SECRET_FILE)
                        ? OidcSecretFiles.client(values, CLIENT_SECRET_FILE)
                        : values.find(CLIENT_SECRET),
                values.find(CLIENT_SECRET_FILE),
                values.get(SCOPES),
                CaFiles.read(values, CA_FILE));
        OidcPages pages = new OidcPages(values.get(CALLBACK), values.get(LOGOUT), values.find(AFTER_LOGOUT));
        return new OidcConfig(
                client,
                pages,
                values.get(COOKIE),
                values.get(REQUIRE),
                values.get(HEADERS),
                values.get(IDENTITY),
                values.get(SESSION));
    }
}
