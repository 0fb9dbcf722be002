package io.ballast.config.keys.dns;

import static io.ballast.dns.config.CookieConfig.DEFAULT;

import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.SecretType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.dns.config.CookieConfig;
import io.ballast.dns.config.CookieSecret;
import java.util.List;

/** The keys of {@code dns.cookies}. */
final class CookieKeys {

    private static final Type<CookieSecret> SECRET = SecretType.of(
            "secret",
            "32 hexadecimal digits, as openssl rand -hex 16 prints them",
            "[0-9A-Fa-f]{32}",
            CookieSecret::new,
            CookieSecret::hex);

    private static final ShapeBuilder<CookieConfig> KEYS =
            Shape.named("dns_cookies", "DNS cookies, which prove the address of a client (RFC 7873, RFC 9018).");

    private static final Key<Boolean> ENABLED = KEYS.optional(
            "enabled", Scalars.BOOLEAN, DEFAULT.enabled(), "whether DNS cookies are enabled", CookieConfig::enabled);
    private static final Key<List<CookieSecret>> SECRETS = KEYS.optional(
            "secrets",
            ListType.of(SECRET).unique("secret", secret -> secret),
            DEFAULT.secrets(),
            "secrets shared by all servers behind one address: the first creates cookies, all verify them; by"
                    + " default, a new one at every start, or those of the cluster with cluster.secret_key",
            CookieConfig::secrets);

    static final Type<CookieConfig> COOKIES =
            KEYS.build(values -> new CookieConfig(values.get(ENABLED), values.get(SECRETS)));

    private CookieKeys() {}
}
