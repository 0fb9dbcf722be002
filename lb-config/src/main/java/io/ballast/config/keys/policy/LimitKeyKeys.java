package io.ballast.config.keys.policy;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.config.keys.common.HttpTexts;
import io.ballast.config.keys.common.OneOrMore;
import io.ballast.policy.config.LimitKey;
import io.ballast.policy.config.LimitKey.Source;
import io.ballast.policy.config.RequestRateConfig;
import io.ballast.policy.config.RequestRateConfig.MissingKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The keys that select the counter of a request: the parts of the request, and the effect of a missing part. */
final class LimitKeyKeys {

    private static final int MAX_IPV6_PREFIX = 128;

    private static final ShapeBuilder<LimitKey> KEYS =
            Shape.named("limit_key", "A part of the request; requests with the same value share a counter.");

    private static final Key<String> HEADER = KEYS.optional(
            "header",
            HttpTexts.TOKEN,
            "name of a header; its first line is used",
            key -> key.source() == Source.HEADER ? Optional.of(key.name()) : Optional.empty());
    private static final Key<String> COOKIE = KEYS.optional(
            "cookie",
            HttpTexts.TOKEN,
            "name of a cookie",
            key -> key.source() == Source.COOKIE ? Optional.of(key.name()) : Optional.empty());

    private static final Key<String> CLAIM = KEYS.optional(
            "claim",
            Scalars.TEXT,
            "name of a claim of the authenticated identity, such as a claim of a JSON Web Token",
            key -> key.source() == Source.CLAIM ? Optional.of(key.name()) : Optional.empty());

    static {
        KEYS.exactlyOne(HEADER, COOKIE, CLAIM);
    }

    static final Type<LimitKey> KEY = new BriefType<>(
            Scalars.choice(words(), key -> word(key.source())),
            KEYS.build(LimitKeyKeys::build),
            /* printsBrief= */ key -> key.name().isEmpty());

    private LimitKeyKeys() {}

    /** Adds the key {@code key} to a limit. */
    static <T> Key<List<LimitKey>> parts(ShapeBuilder<T> limit, Function<T, List<LimitKey>> getter) {
        return limit.optional(
                "key",
                OneOrMore.of(KEY, "part"),
                List.of(LimitKey.CLIENT),
                "parts of the request that together select a counter; client is the client's address",
                getter);
    }

    /** Adds the key {@code missing} to a limit. */
    static <T> Key<MissingKey> missing(ShapeBuilder<T> limit, Function<T, MissingKey> getter) {
        return limit.optional(
                "missing",
                EnumWords.of(MissingKey.class),
                MissingKey.CLIENT,
                "for requests without a part of the key: client replaces it by the client's address, skip does not"
                        + " limit them, refuse refuses them",
                getter);
    }

    /** Adds the key {@code ipv6_prefix} to a limit. */
    static <T> Key<Integer> ipv6Prefix(ShapeBuilder<T> limit, Function<T, Integer> getter) {
        return limit.optional(
                "ipv6_prefix",
                Scalars.integer(1, MAX_IPV6_PREFIX),
                RequestRateConfig.DEFAULT_IPV6_PREFIX,
                "length of the prefix that identifies an IPv6 client",
                getter);
    }

    private static Map<String, LimitKey> words() {
        Map<String, LimitKey> words = new LinkedHashMap<>();
        for (Source source :
                List.of(Source.CLIENT, Source.ROUTE, Source.HOST, Source.PATH, Source.IDENTITY, Source.TLS_SUBJECT)) {
            words.put(word(source), new LimitKey(source, ""));
        }
        return words;
    }

    private static String word(Source source) {
        return source.name().toLowerCase(Locale.ROOT);
    }

    private static LimitKey build(Values values) {
        if (values.has(HEADER)) {
            return new LimitKey(Source.HEADER, values.get(HEADER));
        }
        return values.has(COOKIE)
                ? new LimitKey(Source.COOKIE, values.get(COOKIE))
                : new LimitKey(Source.CLAIM, values.get(CLAIM));
    }
}
