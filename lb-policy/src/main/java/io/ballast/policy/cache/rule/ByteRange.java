package io.ballast.policy.cache.rule;

import org.jspecify.annotations.Nullable;

/**
 * One range of a body (RFC 9110 section 14.1.2).
 *
 * @param from the first byte
 * @param to the position after the last byte; not greater than {@code from} if no byte of the body is in the range
 */
public record ByteRange(long from, long to) {

    private static final String UNIT = "bytes=";
    private static final int MAX_DIGITS = 18;

    /**
     * Parses a {@code Range} field for a body of a known length. Several ranges are not supported: a server may ignore them.
     *
     * @return null if the field must be ignored, because it is malformed, of another unit, or has several ranges
     */
    public static @Nullable ByteRange parse(String value, long length) {
        if (!value.regionMatches(/* ignoreCase= */ true, 0, UNIT, 0, UNIT.length())) {
            return null;
        }
        String range = ListElements.trim(value.substring(UNIT.length()));
        int dash = range.indexOf('-');
        if (dash < 0) {
            return null;
        }
        long first = number(range.substring(0, dash));
        long last = number(range.substring(dash + 1));
        if (dash == 0) {
            return last < 0 ? null : new ByteRange(Math.max(0, length - last), last == 0 ? 0 : length);
        }
        if (first < 0) {
            return null;
        }
        if (dash == range.length() - 1) {
            return new ByteRange(first, length);
        }
        return last < first ? null : new ByteRange(first, Math.min(length, last + 1));
    }

    /** Whether no byte of the body is in the range. */
    public boolean isUnsatisfiable() {
        return to <= from;
    }

    private static long number(String digits) {
        if (digits.isEmpty() || digits.length() > MAX_DIGITS) {
            return -1;
        }
        long number = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }
}
