package io.ballast.config.keys.dns;

import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.NamedType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.SecretType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.dns.config.TsigKeyConfig;
import io.ballast.dns.config.TsigKeyConfig.Algorithm;
import io.ballast.dns.config.TsigSecret;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The keys of {@code dns.keys}. */
final class TsigKeyKeys {

    private static final String LABEL = "[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?";

    private static final ShapeBuilder<TsigKeyConfig> KEYS = Shape.named(
            "dns_key", "A TSIG key (RFC 8945) that servers use to sign their messages to each other, under its name.");

    private static final Key<Algorithm> ALGORITHM = KEYS.optional(
            "algorithm",
            Scalars.constant(
                    Algorithm.class,
                    algorithm -> algorithm.name().toLowerCase(Locale.ROOT).replace('_', '-')),
            TsigKeyConfig.DEFAULT_ALGORITHM,
            "algorithm of the signatures",
            TsigKeyConfig::algorithm);
    private static final Key<TsigSecret> SECRET = KEYS.optional(
            "secret",
            SecretType.of(
                    "secret in Base64",
                    "Base64 of 16 to 512 bytes, as tsig-keygen and keymgr -t print it",
                    "[A-Za-z0-9+/]{16,684}={0,2}",
                    TsigSecret::new,
                    TsigSecret::base64),
            "the shared secret",
            TsigKeyConfig::secret);
    private static final Key<Path> SECRET_FILE = KEYS.optional(
            "secret_file",
            new FileType(),
            "file that contains only the secret; read at startup and at each reload",
            TsigKeyConfig::secretFile);

    static {
        KEYS.exactlyOne(SECRET, SECRET_FILE);
    }

    private static final Type<TsigKeyConfig> TSIG_KEY = KEYS.build(values ->
            new TsigKeyConfig(values.name(), values.get(ALGORITHM), values.find(SECRET), values.find(SECRET_FILE)));

    static final Type<List<TsigKeyConfig>> TSIG_KEYS = new NamedType<>(
                    TSIG_KEY, LABEL + "(\\." + LABEL + ")*", "a domain name in lower case without a final dot")
            .map(keys -> List.copyOf(keys.values()), TsigKeyKeys::byName);

    private TsigKeyKeys() {}

    private static Map<String, TsigKeyConfig> byName(List<TsigKeyConfig> keys) {
        Map<String, TsigKeyConfig> byName = new LinkedHashMap<>();
        keys.forEach(key -> byName.put(key.name(), key));
        return byName;
    }
}
