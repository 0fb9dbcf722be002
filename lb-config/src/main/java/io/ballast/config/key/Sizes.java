package io.ballast.config.key;

import io.ballast.core.Checks;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of bytes with a unit: {@code 512B}, {@code 64KiB}, {@code 4MiB}, {@code 1GiB}. */
public final class Sizes {

    private static final String SYNTAX = "([0-9]{1,9})(B|KiB|MiB|GiB)";
    private static final Pattern PATTERN = Pattern.compile(SYNTAX);
    private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB");
    private static final String UNLIMITED = "unlimited";
    private static final String EXPECTED = "a size such as 512B, 64KiB or 4MiB";

    /** A size, or {@code unlimited} for {@link Long#MAX_VALUE}. */
    public static final Type<Long> SIZE_OR_UNLIMITED = new ScalarType<>(
            "size or unlimited",
            EXPECTED + ", or unlimited",
            text -> text.equals(UNLIMITED) ? Long.MAX_VALUE : parse(text, EXPECTED + ", or unlimited"),
            size -> size == Long.MAX_VALUE ? UNLIMITED : print(size),
            JsonSchema.textOrVariable(UNLIMITED + "|" + SYNTAX));

    private Sizes() {}

    /** A size that fits an {@code int}, from {@code min} to {@code max} bytes, both included. */
    public static Type<Integer> between(int min, int max) {
        String range = print(min) + ".." + print(max);
        return new ScalarType<>(
                "size " + range,
                EXPECTED,
                text -> {
                    long size = parse(text, EXPECTED);
                    Checks.that(size >= min && size <= max, "size", text, range);
                    return (int) size;
                },
                size -> print(size),
                JsonSchema.textOrVariable(SYNTAX));
    }

    /** A size from {@code min} to {@code max} bytes, both included. */
    public static Type<Long> range(long min, long max) {
        String range = print(min) + ".." + print(max);
        return new ScalarType<>(
                "size " + range,
                EXPECTED,
                text -> {
                    long size = parse(text, EXPECTED);
                    Checks.that(size >= min && size <= max, "size", text, range);
                    return size;
                },
                size -> print(size),
                JsonSchema.textOrVariable(SYNTAX));
    }

    private static long parse(String text, String expected) {
        Matcher matcher = PATTERN.matcher(text);
        Checks.that(matcher.matches(), "size", text, expected);
        return Long.parseLong(matcher.group(1)) << (10 * UNITS.indexOf(matcher.group(2)));
    }

    private static String print(long size) {
        int unit = size == 0 ? 0 : Math.min(3, Long.numberOfTrailingZeros(size) / 10);
        return (size >> (10 * unit)) + UNITS.get(unit);
    }
}
