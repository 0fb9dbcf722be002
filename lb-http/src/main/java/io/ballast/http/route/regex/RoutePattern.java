package io.ballast.http.route.regex;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.ballast.core.Checks;
import io.ballast.core.RegexCharacters;

/**
 * A regular expression in <a href="https://github.com/google/re2/wiki/Syntax">RE2 syntax</a>, which must match a whole
 * value. Each byte is one character; {@code .} matches every byte.
 *
 * <p>Matching takes linear time in the value's length, without backtracking, so that no value blocks an event loop.
 * Values are limited by the limits on request heads, and expressions by {@value #MAX_LENGTH} characters and {@value
 * #MAX_PROGRAM} instructions. A common expression takes 1 us for 30 bytes and 0.3 ms for 8 KiB; the worst one found
 * takes 22 ms for 8 KiB.
 *
 * <p>Immutable and shared by the event loops. Allocates about 70 bytes per match.
 */
public final class RoutePattern {

    static final int MAX_LENGTH = 1024;
    static final int MAX_PROGRAM = 250;

    private final Pattern pattern;

    private RoutePattern(Pattern pattern) {
        this.pattern = pattern;
    }

    /**
     * Compiles an expression.
     *
     * @throws IllegalArgumentException if it is malformed or too large
     */
    public static RoutePattern compile(String regex) {
        Checks.that(regex.length() <= MAX_LENGTH, "regex", regex, "at most " + MAX_LENGTH + " characters");
        Checks.that(RegexCharacters.areBytes(regex), "regex", regex, "characters up to U+00FF; other bytes as \\xHH");
        // The size is checked before compilation, because compilation unrolls counted repetitions.
        Checks.that(RegexSize.of(regex) <= MAX_PROGRAM, "regex", regex, tooLarge());
        Pattern compiled;
        try {
            compiled = Pattern.compile(regex, Pattern.DOTALL);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "regex: " + regex + " (expected: a regular expression in RE2 syntax; " + e.getDescription() + ")",
                    e);
        }
        Checks.that(compiled.programSize() <= MAX_PROGRAM, "regex", regex, tooLarge());
        return new RoutePattern(compiled);
    }

    private static String tooLarge() {
        return "a regular expression that compiles to at most " + MAX_PROGRAM + " instructions; use fewer repetitions";
    }

    public boolean matches(byte[] bytes, int from, int to, ByteText text) {
        return pattern.matcher(text.of(bytes, from, to)).matches();
    }

    /** Whether the expression matches any part of the range. */
    public boolean matchesPart(byte[] bytes, int from, int to) {
        return pattern.matcher(new ByteText().of(bytes, from, to)).find();
    }
}
