package io.ballast.config.keys.policy;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.HttpTexts;
import io.ballast.policy.config.LimitKey;
import io.ballast.policy.config.LimitKey.Source;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The parts of {@code policies.NAME.rate_limit.key}. */
final class LimitKeyKeys {

    private static final ShapeBuilder<LimitKey> KEYS =
            Shape.named("limit_key", "A part of the request by which requests are counted.");

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
