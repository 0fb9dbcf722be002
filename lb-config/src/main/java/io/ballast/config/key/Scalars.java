package io.ballast.config.key;

import io.ballast.core.Checks;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Common scalar types: numbers, booleans, strings and enumerations. */
public final class Scalars {

    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,9}(\\.[0-9]{1,6})?");

    /** {@code true} or {@code false}; other boolean words of YAML are not accepted. */
    public static final Type<Boolean> BOOLEAN = choice(words("true", true, "false", false), value -> value)
            .schema(JsonSchema.orVariable(Map.of("type", "boolean")));

    /** Any text. */
    public static final Type<String> TEXT = new ScalarType<>(
            "text", "a text", text -> text, text -> text, Map.of("type", List.of("string", "number", "boolean")));

    private Scalars() {}

    /** A whole number from {@code min} to {@code max}, both included. */
    public static Type<Integer> integer(int min, int max) {
        return whole(min, max).map(Math::toIntExact, Integer::longValue);
    }

    /** A whole number from {@code min} to {@code max}, both included; in decimal, without a unit. */
    public static Type<Long> whole(long min, long max) {
        String expected = max == Integer.MAX_VALUE ? ">= " + min : min + ".." + max;
        return new ScalarType<>(
                "number " + expected,
                "a number, " + expected,
                text -> parseWhole(text, min, max, expected),
                number -> number,
                JsonSchema.anyOf(List.of(bounds(min, max), JsonSchema.textOrVariable("[0-9]+"))));
    }

    /** A number with at most six decimal places, from {@code min} to {@code max}, both included. */
    public static Type<Double> decimal(int min, int max) {
        String expected = "a number from " + min + " to " + max + " with at most 6 decimal places";
        return new ScalarType<>(
                "number " + min + ".." + max,
                expected,
                text -> {
                    Checks.that(DECIMAL.matcher(text).matches(), "number", text, expected);
                    double number = Double.parseDouble(text);
                    Checks.that(number >= min && number <= max, "number", text, expected);
                    return number;
                },
                Scalars::plain,
                JsonSchema.anyOf(List.of(decimalBounds(min, max), JsonSchema.textOrVariable(DECIMAL.pattern()))));
    }

    /** A string that must match the whole pattern. */
    public static Type<String> matching(String label, String expected, String pattern) {
        return matching(label, expected, pattern, JsonSchema.textOrVariable(pattern));
    }

    /** Like {@link #matching}, but also accepts unquoted values that a YAML parser reads as integers. */
    public static Type<String> matchingOrNumber(String label, String expected, String pattern) {
        return matching(label, expected, pattern, JsonSchema.orNumber(JsonSchema.textOrVariable(pattern)));
    }

    /** A constant of an enum, written as the word that {@code name} returns. */
    public static <E extends Enum<E>> Type<E> constant(Class<E> type, Function<E, String> name) {
        Map<String, E> words = new LinkedHashMap<>();
        Arrays.stream(type.getEnumConstants()).forEach(value -> words.put(name.apply(value), value));
        return choice(words, name::apply);
    }

    /** A scalar that must be one of the given words; several words may have the same meaning. */
    public static <T> ChoiceType<T> choice(Map<String, T> words, Function<T, Object> print) {
        return new ChoiceType<>(words, print);
    }

    private static Type<String> matching(String label, String expected, String pattern, Map<String, Object> schema) {
        Pattern compiled = Pattern.compile(pattern);
        Function<String, String> parse = text -> {
            Checks.that(compiled.matcher(text).matches(), label, text, expected);
            return text;
        };
        return new ScalarType<>(label, expected, parse, text -> text, schema);
    }

    private static <T> Map<String, T> words(String one, T value, String other, T otherValue) {
        Map<String, T> words = new LinkedHashMap<>();
        words.put(one, value);
        words.put(other, otherValue);
        return words;
    }

    private static long parseWhole(String text, long min, long max, String expected) {
        Checks.that(WHOLE.matcher(text).matches(), "number", text, "a number, " + expected);
        long number = Long.parseLong(text);
        Checks.that(number >= min && number <= max, "number", text, expected);
        return number;
    }

    /** Returns the number without an exponent; a double would print small numbers with one. */
    private static BigDecimal plain(double number) {
        return new BigDecimal(BigDecimal.valueOf(number).stripTrailingZeros().toPlainString());
    }

    private static Map<String, Object> decimalBounds(int min, int max) {
        Map<String, Object> schema = JsonSchema.of("type", "number", "minimum", min);
        schema.put("maximum", max);
        return schema;
    }

    private static Map<String, Object> bounds(long min, long max) {
        Map<String, Object> schema = JsonSchema.of("type", "integer", "minimum", min);
        if (max != Integer.MAX_VALUE) {
            schema.put("maximum", max);
        }
        return schema;
    }
}
