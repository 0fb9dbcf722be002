package io.ballast.config.keys.policy;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.HttpTexts;
import io.ballast.policy.config.jwt.JwtTokenPlace;
import io.ballast.policy.config.jwt.JwtTokenPlace.Kind;
import java.util.Map;
import java.util.Optional;

/** The keys of {@code policies.NAME.jwt.from}. */
final class JwtPlaceKeys {

    private static final ShapeBuilder<JwtTokenPlace> KEYS =
            Shape.named("token_place", "The header or cookie that contains the token.");

    private static final Key<String> HEADER = KEYS.optional(
            "header",
            HttpTexts.TOKEN,
            "name of a header whose whole value is the token",
            place -> name(Kind.HEADER, place));
    private static final Key<String> COOKIE = KEYS.optional(
            "cookie", HttpTexts.TOKEN, "name of a cookie whose value is the token", place -> name(Kind.COOKIE, place));

    static {
        KEYS.exactlyOne(HEADER, COOKIE);
    }

    static final Type<JwtTokenPlace> PLACE = new BriefType<>(
            Scalars.choice(Map.of("authorization", JwtTokenPlace.AUTHORIZATION), place -> "authorization"),
            KEYS.build(JwtPlaceKeys::build),
            /* printsBrief= */ place -> place.kind() == Kind.AUTHORIZATION);

    private JwtPlaceKeys() {}

    private static Optional<String> name(Kind kind, JwtTokenPlace place) {
        return Optional.of(place).filter(each -> each.kind() == kind).map(JwtTokenPlace::name);
    }

    private static JwtTokenPlace build(Values values) {
        return values.has(HEADER)
                ? new JwtTokenPlace(Kind.HEADER, values.get(HEADER))
                : new JwtTokenPlace(Kind.COOKIE, values.get(COOKIE));
    }
}
