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
            "The cookie that keeps a client on its backend. It is signed, HttpOnly, and valid for the"
                    + " host and all its paths.");

    private static final Key<String> NAME = KEYS.optional(
            "name", HttpTexts.TOKEN, "its name; by default ballast- and a hash of the pool's name", StickyConfig::name);
    private static final Key<Duration> MAX_AGE = KEYS.optional(
            "max_age",
            Durations.DURATION,
            "how long browsers keep it after it was set; until they are closed by default",
            StickyConfig::maxAge);
    private static final Key<SameSite> SAME_SITE = KEYS.optional(
            "same_site",
            Scalars.constant(SameSite.class, SameSite::label),
            DEFAULT.sameSite(),
            "for which requests from other sites browsers send it; none makes it Secure",
            StickyConfig::sameSite);
    private static final Key<Boolean> SECURE = KEYS.optional(
            "secure",
            Scalars.BOOLEAN,
            "whether browsers send it over TLS only; by default if the client uses TLS",
            StickyConfig::secure);
    private static final Key<List<StickyKey>> SIGNING = KEYS.optional(
            "keys",
            ListType.of(KEY).unique("key", key -> key),
            DEFAULT.keys(),
            "shared by all balancers that serve the same clients: the first signs, all verify; a random"
                    + " one by default, stored in data_dir",
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
