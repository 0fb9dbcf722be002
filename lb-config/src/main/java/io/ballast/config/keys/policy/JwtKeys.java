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
import io.ballast.core.Checks;
import io.ballast.net.fetch.CaFile;
import io.ballast.policy.config.jwt.JwtAlgorithm;
import io.ballast.policy.config.jwt.JwtClaimRules;
import io.ballast.policy.config.jwt.JwtConfig;
import io.ballast.policy.config.jwt.JwtKeySource;
import io.ballast.policy.config.jwt.JwtSecret;
import io.ballast.policy.config.jwt.JwtTokenPlace;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The keys of {@code policies.NAME.jwt}. */
final class JwtKeys {

    private static final Type<List<String>> TEXTS = OneOrMore.of(Scalars.TEXT, "value");
    private static final String CLAIM_NAME = "[!-~]{1,256}";
    private static final Type<String> CLAIM = Scalars.matching("claim", "1 to 256 printable characters", CLAIM_NAME);
    private static final Type<Map<String, List<String>>> REQUIREMENTS =
            new NamedType<>(TEXTS, CLAIM_NAME, "1 to 256 printable characters");
    private static final Type<Map<String, String>> CLAIMS_BY_HEADER =
            new NamedType<>(CLAIM, "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}", "the name of a header");

    private static final ShapeBuilder<JwtConfig> KEYS = Shape.named(
            "jwt",
            "Requires a valid JSON Web Token (RFC 7519). Requests without one get 401, requests whose token lacks a"
                    + " required claim get 403.");

    private static final Key<List<String>> ISSUER = KEYS.optional(
            "issuer",
            TEXTS,
            "accepted issuers (iss); default: any",
            config -> unlessEmpty(config.claims().issuers()));
    private static final Key<List<String>> AUDIENCE = KEYS.optional(
            "audience",
            TEXTS,
            "accepted audiences (aud); a token needs one of them; default: any",
            config -> unlessEmpty(config.claims().audiences()));
    private static final Key<URI> JWKS = KEYS.optional(
            "jwks",
            Scalars.matching(
                            "URL",
                            "a URL such as https://id.example/keys; http only for a loopback address or with"
                                    + " allow_http",
                            "https?://[!-~]+")
                    .map(URI::create, URI::toString),
            "URL of the issuer's public keys (JWK set); downloaded every 10 min, and for an unknown key",
            config -> remote(config).map(JwtKeySource.Remote::url));
    private static final Key<Boolean> ALLOW_HTTP = KEYS.optional(
            "allow_http",
            Scalars.BOOLEAN,
            /* fallback= */ false,
            "true: the URL of jwks may be an http URL of any host; an attacker on the network could then replace the keys",
            config -> remote(config).map(JwtKeySource.Remote::allowHttp).orElse(false),
            config -> remote(config).isPresent());
    private static final Key<Path> CA_FILE = KEYS.optional(
            "ca_file",
            new FileType(),
            "PEM file with the CA certificates that verify the server of jwks; read at startup and at each reload;"
                    + " default: those of the Java runtime",
            config -> remote(config).flatMap(JwtKeySource.Remote::ca).map(CaFile::file));
    private static final Key<Path> JWKS_FILE = KEYS.optional(
            "jwks_file",
            FileType.ofContent(),
            "file with a JWK set, read at startup and at each reload; at most 1 MiB",
            config -> fixed(config).flatMap(JwtKeySource.Fixed::file));
    private static final Key<String> JWKS_JSON = KEYS.optional(
            "jwks_json",
            Scalars.TEXT,
            "a JWK set in JSON",
            config -> fixed(config).filter(keys -> keys.file().isEmpty()).map(JwtKeySource.Fixed::text));
    private static final Key<JwtSecret> SECRET = KEYS.optional(
            "secret",
            SecretType.of("secret", "32 to 1024 characters", "[\\s\\S]{1,1024}", JwtSecret::new, JwtSecret::text),
            "the secret that the issuer shares, for HS256, HS384 and HS512",
            config -> shared(config).filter(keys -> keys.file().isEmpty()).map(JwtKeySource.Shared::secret));
    private static final Key<Path> SECRET_FILE = KEYS.optional(
            "secret_file",
            new FileType(),
            "file that contains only the secret, as UTF-8; read at startup and at each reload",
            config -> shared(config).flatMap(JwtKeySource.Shared::file));
    private static final Key<List<JwtAlgorithm>> ALGORITHMS = KEYS.optional(
            "algorithms",
            OneOrMore.of(Scalars.constant(JwtAlgorithm.class, JwtAlgorithm::text), "algorithm"),
            "accepted algorithms; default: all that fit the keys",
            config -> unlessEmpty(config.algorithms().stream().sorted().toList()));
    private static final Key<List<String>> TYP = KEYS.optional(
            "typ",
            TEXTS,
            "accepted types of tokens (typ of the header); default: JWT, at+jwt and none",
            config -> unlessEmpty(config.claims().types()));
    private static final Key<Duration> LEEWAY = KEYS.optional(
            "leeway",
            Durations.DURATION,
            JwtClaimRules.DEFAULT_LEEWAY,
            "how much the clock of the issuer may differ, at most 10m",
            config -> config.claims().leeway());
    private static final Key<Map<String, List<String>>> REQUIRE = KEYS.optional(
            "require",
            REQUIREMENTS,
            Map.of(),
            "values that claims must have; a claim that is a list, or a scope with several words, must contain all of them",
            config -> config.claims().required());
    private static final Key<Map<String, String>> HEADERS = KEYS.optional(
            "headers",
            CLAIMS_BY_HEADER,
            Map.of(),
            "headers that tell backends the claims, such as X-User: sub; removed from the requests of clients",
            JwtConfig::headers);
    private static final Key<JwtTokenPlace> FROM = KEYS.optional(
            "from",
            JwtPlaceKeys.PLACE,
            JwtTokenPlace.AUTHORIZATION,
            "the part of the request that contains the token",
            JwtConfig::from);
    private static final Key<Boolean> FORWARD = KEYS.optional(
            "forward",
            Scalars.BOOLEAN,
            /* fallback= */ true,
            "false: backends do not receive the token; not possible with a cookie",
            JwtConfig::forwards);
    private static final Key<String> REALM = KEYS.optional(
            "realm",
            Scalars.matching("realm", "printable ASCII without \" and \\", "[ !#-\\[\\]-~]{1,128}"),
            JwtConfig.DEFAULT_REALM,
            "realm of the header WWW-Authenticate",
            JwtConfig::realm);
    private static final Key<Integer> CACHE = KEYS.optional(
            "cache",
            Scalars.integer(1, JwtConfig.MAX_CACHED),
            JwtConfig.DEFAULT_CACHED,
            "maximum number of verified tokens that are cached until they expire",
            JwtConfig::cached);

    static {
        KEYS.exactlyOne(JWKS, JWKS_FILE, JWKS_JSON, SECRET, SECRET_FILE);
    }

    static final Type<JwtConfig> JWT = KEYS.build(JwtKeys::build);

    private JwtKeys() {}

    private static <T> Optional<List<T>> unlessEmpty(List<T> list) {
        return Optional.of(list).filter(items -> !items.isEmpty());
    }

    private static Optional<JwtKeySource.Remote> remote(JwtConfig config) {
        return Optional.of(config.keys())
                .filter(JwtKeySource.Remote.class::isInstance)
                .map(JwtKeySource.Remote.class::cast);
    }

    private static Optional<JwtKeySource.Fixed> fixed(JwtConfig config) {
        return Optional.of(config.keys())
                .filter(JwtKeySource.Fixed.class::isInstance)
                .map(JwtKeySource.Fixed.class::cast);
    }

    private static Optional<JwtKeySource.Shared> shared(JwtConfig config) {
        return Optional.of(config.keys())
                .filter(JwtKeySource.Shared.class::isInstance)
                .map(JwtKeySource.Shared.class::cast);
    }

    private static JwtConfig build(Values values) {
        checkHeaders(values);
        Checks.that(values.has(JWKS) || !values.has(CA_FILE), "ca_file", "", "only with jwks");
        JwtClaimRules claims = new JwtClaimRules(
                values.find(ISSUER).orElse(List.of()),
                values.find(AUDIENCE).orElse(List.of()),
                values.find(TYP).orElse(List.of()),
                values.get(LEEWAY),
                values.get(REQUIRE));
        return new JwtConfig(
                keys(values),
                Set.copyOf(values.find(ALGORITHMS).orElse(List.of())),
                claims,
                values.get(FROM),
                values.get(FORWARD),
                values.get(HEADERS),
                values.get(REALM),
                values.get(CACHE));
    }

    private static JwtKeySource keys(Values values) {
        if (values.has(JWKS)) {
            return new JwtKeySource.Remote(values.get(JWKS), values.get(ALLOW_HTTP), CaFiles.read(values, CA_FILE));
        }
        if (values.has(SECRET)) {
            return new JwtKeySource.Shared(values.get(SECRET), Optional.empty());
        }
        if (values.has(SECRET_FILE)) {
            JwtSecret secret = JwtKeyFiles.secret(values, SECRET_FILE);
            return new JwtKeySource.Shared(secret, values.find(SECRET_FILE));
        }
        Key<?> key = values.has(JWKS_FILE) ? JWKS_FILE : JWKS_JSON;
        String text = values.has(JWKS_FILE) ? JwtKeyFiles.keySet(values, JWKS_FILE) : values.get(JWKS_JSON);
        JwtKeyFiles.check(values, key, text);
        return new JwtKeySource.Fixed(text, values.find(JWKS_FILE));
    }

    private static void checkHeaders(Values values) {
        for (String header : values.get(HEADERS).keySet()) {
            HeaderNames.refusal(header).ifPresent(problem -> values.reading().error(values.node(HEADERS), problem));
        }
    }
}
