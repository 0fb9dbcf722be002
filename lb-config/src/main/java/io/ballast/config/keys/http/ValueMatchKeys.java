package io.ballast.config.keys.http;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.HttpTexts;
import io.ballast.core.Checks;
import io.ballast.http.config.ValueMatch;
import java.util.Optional;
import java.util.function.Function;

/**
 * {@code headers.NAME}, {@code query.NAME} and {@code cookies.NAME} of {@code listeners[].routes[].match}.
 */
final class ValueMatchKeys {

    private static final Type<String> TEXT = Scalars.TEXT.map(ValueMatchKeys::printable, text -> text);

    private static final ShapeBuilder<ValueMatch> KEYS = Shape.named(
            "value", "Condition for a header, a query parameter or a cookie. A text alone stands for exact.");

    private static final Key<String> EXACT =
            KEYS.optional("exact", TEXT, "exact value", only(ValueMatch.Exact.class, ValueMatch.Exact::text));
    private static final Key<String> PREFIX = KEYS.optional(
            "prefix", TEXT, "prefix of the value", only(ValueMatch.Prefix.class, ValueMatch.Prefix::text));
    private static final Key<String> REGEX = KEYS.optional(
            "regex",
            HttpTexts.REGEX,
            "regular expression in RE2 syntax that must match the whole value",
            only(ValueMatch.Regex.class, ValueMatch.Regex::text));
    private static final Key<Boolean> PRESENT = KEYS.optional(
            "present",
            Scalars.BOOLEAN,
            "true: must be present, with any value; false: must be absent",
            only(ValueMatch.Present.class, ValueMatch.Present::wanted));

    static {
        KEYS.exactlyOne(EXACT, PREFIX, REGEX, PRESENT);
    }

    /** A condition on a value, written as a mapping, or as a plain string that the value must equal. */
    static final Type<ValueMatch> VALUE = new BriefType<>(
            TEXT.map(ValueMatch.Exact::new, value -> ((ValueMatch.Exact) value).text()),
            KEYS.build(ValueMatchKeys::build),
            /* printsBrief= */ value -> value instanceof ValueMatch.Exact);

    private ValueMatchKeys() {}

    private static String printable(String text) {
        boolean controls = text.chars().anyMatch(c -> c < ' ' || c == 0x7f);
        Checks.that(!controls, "text", text, "a text without control characters");
        return text;
    }

    private static ValueMatch build(Values values) {
        if (values.has(EXACT)) {
            return new ValueMatch.Exact(values.get(EXACT));
        }
        if (values.has(PREFIX)) {
            return new ValueMatch.Prefix(values.get(PREFIX));
        }
        return values.has(REGEX)
                ? new ValueMatch.Regex(values.get(REGEX))
                : new ValueMatch.Present(values.get(PRESENT));
    }

    private static <V, T> Function<ValueMatch, Optional<T>> only(Class<V> kind, Function<V, T> getter) {
        return value -> kind.isInstance(value) ? Optional.of(getter.apply(kind.cast(value))) : Optional.empty();
    }
}
