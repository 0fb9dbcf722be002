package io.ballast.core;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks the characters of regular expressions that are matched against bytes, one character for each byte. */
public final class RegexCharacters {

    private static final Pattern ESCAPE = Pattern.compile("\\\\x\\{([0-9A-Fa-f]*)}");
    private static final int MAX_HEX_DIGITS = 8;
    private static final int MAX_BYTE = 0xff;

    private RegexCharacters() {}

    /**
     * Returns whether each character of an expression, and each escape {@code \x{...}}, is at most U+00FF. Other
     * characters match no byte. With some of them (U+1C80 to U+1C88), RE2/J 1.8 never finishes compiling a
     * case-insensitive expression.
     */
    public static boolean areBytes(String expression) {
        Matcher escapes = ESCAPE.matcher(expression);
        return expression.chars().allMatch(character -> character <= MAX_BYTE)
                && escapes.results().map(RegexCharacters::value).allMatch(value -> value <= MAX_BYTE);
    }

    private static long value(MatchResult escape) {
        String digits = escape.group(1);
        if (digits.isEmpty()) {
            return 0; // malformed; the regex compiler reports the error
        }
        return digits.length() > MAX_HEX_DIGITS ? Long.MAX_VALUE : Long.parseLong(digits, /* radix= */ 16);
    }
}
