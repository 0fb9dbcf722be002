package io.ballast.config.keys.policy;

import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.SecretType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.HttpTexts;
import io.ballast.policy.config.ApiKey;
import io.ballast.policy.config.ApiKeysConfig;
import io.ballast.policy.config.ApiKeysConfig.Source;
import io.ballast.policy.config.ApiKeysConfig.Source.Place;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The keys of {@code policies.NAME.api_keys}. */
final class ApiKeysKeys {

    private static final ShapeBuilder<ApiKey> KEY_KEYS =
            Shape.named("api_key", "An API key of a consumer, who may have several.");
    private static final Key<String> CONSUMER = KEY_KEYS.required(
            "consumer",
            Scalars.matching("name", "1 to 128 letters, digits and . _ - @", ApiKey.CONSUMER),
            "name of the key's owner, for logs, limits and backends",
            ApiKey::consumer);
    private static final Key<String> KEY_HASH = KEY_KEYS.required(
            "key_hash",
            SecretType.of("SHA-256 hash", ApiKey.EXPECTED_HASH, ApiKey.HASH, Function.identity(), Function.identity()),
            "the SHA-256 of the key; lb token prints a new key and its hash",
            ApiKey::hash);
    private static final Type<ApiKey> API_KEY =
            KEY_KEYS.build(values -> new ApiKey(values.get(CONSUMER), values.get(KEY_HASH)));

    private static final ShapeBuilder<ApiKeysConfig> KEYS =
            Shape.named("api_keys_policy", "Authentication by API keys. A request without a known key gets 401.");

    private static final Key<List<ApiKey>> INLINE = KEYS.optional(
            "keys",
            ListType.atLeastOne(API_KEY).unique("key", ApiKey::hash),
            "the keys",
            config -> config.keysFile().isPresent() ? Optional.empty() : Optional.of(config.keys()));
    private static final Key<Path> KEYS_FILE = KEYS.optional(
            "keys_file",
            FileType.ofContent(),
            "file with a line CONSUMER:HASH for each key; read at startup and at each reload",
            ApiKeysConfig::keysFile);
    private static final Key<String> KEY_HEADER = KEYS.optional(
            "key_header",
            HttpTexts.TOKEN,
            "header of requests that contains the key; default: X-API-Key",
            config -> place(config, Place.HEADER).filter(name -> !name.equals(ApiKeysConfig.DEFAULT_SOURCE.name())));
    private static final Key<String> KEY_QUERY = KEYS.optional(
            "key_query",
            Scalars.matching("parameter", "1 to 64 letters, digits and . _ -", "[A-Za-z0-9._-]{1,64}"),
            "query parameter that contains the key, instead of a header; access logs and backends see it",
            config -> place(config, Place.QUERY));
    private static final Key<String> HEADER = KEYS.optional(
            "header",
            IdentityHeaders.NAME,
            "request header with the consumer for the backend; removed from requests of clients; default: none",
            ApiKeysConfig::header);
    private static final Key<Boolean> FORWARD_CREDENTIALS = KEYS.optional(
            "forward_credentials",
            Scalars.BOOLEAN,
            /* fallback= */ false,
            "true: the backend receives the header with the key",
            ApiKeysConfig::forwardCredentials);

    static {
        KEYS.exactlyOne(INLINE, KEYS_FILE);
        KEYS.atMostOne(KEY_HEADER, KEY_QUERY);
    }

    static final Type<ApiKeysConfig> API_KEYS = KEYS.build(ApiKeysKeys::build);

    private static final CredentialFile<ApiKey> FILE =
            new CredentialFile<>(KEYS_FILE, ApiKey::new, ApiKey::hash, "key");

    private ApiKeysKeys() {}

    private static Optional<String> place(ApiKeysConfig config, Place place) {
        return Optional.of(config.source())
                .filter(source -> source.place() == place)
                .map(Source::name);
    }

    private static ApiKeysConfig build(Values values) {
        Source source = values.find(KEY_QUERY)
                .map(name -> new Source(Place.QUERY, name))
                .or(() -> values.find(KEY_HEADER).map(name -> new Source(Place.HEADER, name)))
                .orElse(ApiKeysConfig.DEFAULT_SOURCE);
        return new ApiKeysConfig(
                values.has(KEYS_FILE) ? FILE.read(values) : values.find(INLINE).orElse(List.of()),
                values.find(KEYS_FILE),
                source,
                values.find(HEADER),
                values.get(FORWARD_CREDENTIALS));
    }
}
