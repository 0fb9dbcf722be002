package io.ballast.dns.forward.filter.rule;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.ballast.core.Checks;
import io.ballast.core.RegexCharacters;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression in <a href="https://github.com/google/re2/wiki/Syntax">RE2's syntax</a>. A name matches if the
 * expression matches any part of it. The name is in lower case and without its last dot. {@code ^} and {@code $} anchor
 * the expression, as in AdGuard Home and Pi-hole.
 *
 * <p>Matching time is linear in the length of the name, which is at most 253. The expression is limited to {@value
 * #MAX_CHARACTERS} characters and {@value #MAX_STEPS} instructions. Immutable. Cost: each match allocates memory.
 */
final class NameExpression implements NameMatcher {

    static final int MAX_CHARACTERS = 1024;
    static final int MAX_STEPS = 250;

    /**
     * Maximum size of an expression after its repetitions are unrolled. Compilation unrolls them, so this size
     * is checked before the expression is compiled.
     */
    private static final long MAX_UNROLLED = 100_000;

    private static final java.util.regex.Pattern REPETITION = java.util.regex.Pattern.compile("\\{(\\d+)(?:,(\\d*))?}");

    private final Pattern pattern;

    private NameExpression(Pattern pattern) {
        this.pattern = pattern;
    }

    /**
     * @throws IllegalArgumentException if the expression is malformed or too large; the message describes the expected
     *     form
     */
    static NameExpression compile(String expression) {
        Pattern compiled;
        Checks.that(expression.length() <= MAX_CHARACTERS, "length", expression.length(), "at most " + MAX_CHARACTERS);
        Checks.that(
                RegexCharacters.areBytes(expression),
                "expression",
                expression,
                "ASCII, because names are matched in punycode");
        Checks.that(unrolledSize(expression) <= MAX_UNROLLED, "expression", expression, "fewer repetitions");
        try {
            compiled = Pattern.compile(expression, Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("an expression in RE2 syntax; " + e.getDescription(), e);
        }
        Checks.that(compiled.programSize() <= MAX_STEPS, "steps", compiled.programSize(), "at most " + MAX_STEPS);
        return new NameExpression(compiled);
    }

    /**
     * Returns an upper bound of the size of the expression after its repetitions are expanded, as if all
     * repetitions were nested around the whole expression.
     */
    private static long unrolledSize(String expression) {
        java.util.regex.Matcher repetitions = REPETITION.matcher(expression);
        long size = expression.length();
        while (repetitions.find() && size <= MAX_UNROLLED) {
            size *= Math.max(1, Math.max(repetitionBound(repetitions.group(1)), repetitionBound(repetitions.group(2))));
        }
        return size;
    }

    private static long repetitionBound(@Nullable String digits) {
        if (digits == null || digits.isEmpty()) {
            return 1;
        }
        return digits.length() > 6 ? MAX_UNROLLED + 1 : Long.parseLong(digits);
    }

    @Override
    public boolean matches(String name) {
        return pattern.matcher(name).find();
    }
}
