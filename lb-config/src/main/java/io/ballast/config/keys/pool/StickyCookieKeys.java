package io.ballast.config.keys.pool;

import static io.ballast.core.config.StickyConfig.DEFAULT;

import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.SecretType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.HttpTexts;
import io.ballast.core.config.SameSite;
import io.ballast.core.config.StickyConfig;
import io.ballast.core.config.StickyKey;
import java.time.Duration;
import java.util.List;

/** The keys of {@code pools.NAME.strategy.cookie}. */
final class StickyCookieKeys {

    private static final Type<StickyKey> KEY = SecretType.of(
            "key",
            "64 hexadecimal digits, as openssl rand -hex 32 prints them",
            "[0-9A-Fa-f]{64}",
            StickyKey::new,
            StickyKey::hex);

    private static final ShapeBuilder<StickyConfig> KEYS = Shape.named(
            "sticky_cookie",
            "Cookie that keeps a client on its backend. The cookie is signed, HttpOnly, and valid for all"
                    + " paths of the host.");

    private static final Key<String> NAME = KEYS.optional(
            "name",
            HttpTexts.TOKEN,
            "name of the cookie; default: ballast- followed by a hash of the pool's name",
            StickyConfig::name);
    private static final Key<Duration> MAX_AGE = KEYS.optional(
            "max_age",
            Durations.DURATION,
            "lifetime of the cookie in the browser; default: until the browser is closed",
            StickyConfig::maxAge);
    private static final Key<SameSite> SAME_SITE = KEYS.optional(
            "same_site",
            Scalars.constant(SameSite.class, SameSite::label),
            DEFAULT.sameSite(),
            "SameSite attribute: whether browsers send the cookie with cross-site requests; none implies Secure",
            StickyConfig::sameSite);
    private static final Key<Boolean> SECURE = KEYS.optional(
            "secure",
            Scalars.BOOLEAN,
            "Secure attribute: browsers send the cookie only over TLS; default: true if the client uses TLS",
            StickyConfig::secure);
    private static final Key<List<StickyKey>> SIGNING = KEYS.optional(
            "keys",
            ListType.of(KEY).unique("key", key -> key),
            DEFAULT.keys(),
            "signing keys, shared by all load balancers that serve the same clients: the first signs, all"
                    + " verify; default: a random key, stored in data_dir, or those of the cluster with cluster.secret_key",
            StickyConfig::keys);

    static final Type<StickyConfig> COOKIE = KEYS.build(StickyCookieKeys::build);

    private StickyCookieKeys() {}

    private static StickyConfig build(Values values) {
        return new StickyConfig(
                values.find(NAME),
                values.find(MAX_AGE),
                values.get(SAME_SITE),
                values.find(SECURE),
                values.get(SIGNING));
    }
}
