package io.ballast.http.files;

import org.jspecify.annotations.Nullable;

/**
 * A part of a file.
 *
 * @param from the first byte
 * @param length the number of bytes, at least 1; 0 if the range is not satisfiable
 */
record FileRange(long from, long length) {

    /** A valid range that contains no byte of the file; the response is 416. */
    static final FileRange UNSATISFIABLE = new FileRange(0, 0);

    private static final String UNIT = "bytes=";
    /** The maximum number of digits in a position; no file length has more. */
    private static final int MAX_DIGITS = 18;

    /**
     * Reads the value of a {@code Range} header (RFC 9110 section 14.1.2).
     *
     * @param size the length of the file
     * @return null if the whole file is sent: the value is invalid, has another unit, or lists several ranges
     */
    static @Nullable FileRange parse(String value, long size) {
        int dash = value.indexOf('-');
        if (!value.regionMatches(/* ignoreCase= */ true, 0, UNIT, 0, UNIT.length()) || dash < 0) {
            return null;
        }
        String first =
                value.substring(UNIT.length(), Math.max(dash, UNIT.length())).strip();
        String last = value.substring(dash + 1).strip();
        if (!isNumber(first) || !isNumber(last) || (first.isEmpty() && last.isEmpty())) {
            return null;
        }
        if (first.isEmpty()) {
            long suffix = Math.min(Long.parseLong(last), size);
            return suffix == 0 ? UNSATISFIABLE : new FileRange(size - suffix, suffix);
        }
        long from = Long.parseLong(first);
        long to = last.isEmpty() ? Long.MAX_VALUE : Long.parseLong(last);
        if (to < from) {
            return null;
        }
        return from >= size ? UNSATISFIABLE : new FileRange(from, Math.min(to, size - 1) - from + 1);
    }

    private static boolean isNumber(String text) {
        return text.length() <= MAX_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
