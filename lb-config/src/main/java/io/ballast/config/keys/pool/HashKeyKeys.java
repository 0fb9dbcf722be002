package io.ballast.config.keys.pool;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.HttpTexts;
import io.ballast.core.config.HashKey;
import io.ballast.core.config.HashKey.Source;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The keys of {@code pools.NAME.strategy.key}. */
final class HashKeyKeys {

    private static final ShapeBuilder<HashKey> KEYS = Shape.named(
            "hash_key",
            "The part of the request that is hashed. If a request does not have it, the client's address is hashed.");

    private static final Key<String> HEADER = KEYS.optional(
            "header",
            HttpTexts.TOKEN,
            "name of a header; if it occurs several times, the first one is used",
            named(Source.HEADER));
    private static final Key<String> COOKIE =
            KEYS.optional("cookie", HttpTexts.TOKEN, "name of a cookie", named(Source.COOKIE));
    private static final Key<String> QUERY = KEYS.optional(
            "query",
            Scalars.matching("parameter", "1 to 128 printable characters", "[!-~]{1,128}"),
            "name of a query parameter",
            named(Source.QUERY));

    static {
        KEYS.exactlyOne(HEADER, COOKIE, QUERY);
    }

    /** A hash key, written as a mapping or as a single word. */
    static final Type<HashKey> KEY = new BriefType<>(
            Scalars.choice(words(), key -> key.source().label()),
            KEYS.build(HashKeyKeys::build),
            /* printsBrief= */ key -> !key.source().isNamed());

    private HashKeyKeys() {}

    private static Map<String, HashKey> words() {
        Map<String, HashKey> words = new LinkedHashMap<>();
        words.put(Source.CLIENT.label(), HashKey.CLIENT);
        words.put(Source.PATH.label(), HashKey.PATH);
        return words;
    }

    private static HashKey build(Values values) {
        if (values.has(HEADER)) {
            return new HashKey(Source.HEADER, values.get(HEADER));
        }
        return values.has(COOKIE)
                ? new HashKey(Source.COOKIE, values.get(COOKIE))
                : new HashKey(Source.QUERY, values.get(QUERY));
    }

    private static Function<HashKey, Optional<String>> named(Source source) {
        return key -> key.source() == source ? Optional.of(key.name()) : Optional.empty();
    }
}
