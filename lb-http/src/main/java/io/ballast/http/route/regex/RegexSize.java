package io.ballast.http.route.regex;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Estimates the size of a regular expression, in atoms, after its counted repetitions have been unrolled.
 * {@code ((a{100}){100}){100}} has twenty characters and a million atoms.
 */
final class RegexSize {

    /** Cap for computed sizes, far above any configured limit; prevents an overflow. */
    private static final long ENOUGH = 1_000_000_000;

    private final String regex;
    private final Deque<Long> outer = new ArrayDeque<>();
    private int position;
    private long size;
    private long last;

    private RegexSize(String regex) {
        this.regex = regex;
    }

    static long of(String regex) {
        RegexSize count = new RegexSize(regex);
        while (count.position < regex.length()) {
            count.next();
        }
        return count.outer.stream().mapToLong(each -> each).sum() + count.size;
    }

    private void next() {
        char c = regex.charAt(position++);
        switch (c) {
            case '(' -> {
                outer.push(size);
                size = 0;
                last = 0;
            }
            case ')' -> {
                last = size;
                size += outer.isEmpty() ? 0 : outer.pop();
            }
            case '{' -> repeat();
            case '[', '\\' -> {
                position = skip(regex, position - 1);
                atom();
            }
            case '*', '+', '?', '|' -> {}
            default -> atom();
        }
    }

    private void atom() {
        last = 1;
        size++;
    }

    /** The position after the escape, class or single character at {@code start}. */
    static int skip(String regex, int start) {
        if (regex.charAt(start) != '[') {
            return start + memberLength(regex, start);
        }
        int position = start + (regex.startsWith("^", start + 1) ? 2 : 1);
        position += memberLength(regex, position); // a closing bracket in first position is literal
        while (position < regex.length() && regex.charAt(position) != ']') {
            position += memberLength(regex, position);
        }
        return position + 1;
    }

    private static int memberLength(String regex, int at) {
        return regex.startsWith("\\", at) ? 2 : 1;
    }

    private void repeat() {
        int end = regex.indexOf('}', position);
        String inside = end < 0 ? "" : regex.substring(position, end);
        if (!inside.matches("[0-9]{1,4}(,[0-9]{0,4})?")) {
            atom();
            return;
        }
        long max = 1;
        for (String bound : inside.split(",")) {
            max = Math.max(max, Long.parseLong(bound));
        }
        size = Math.min(ENOUGH, size + last * (max - 1));
        last = Math.min(ENOUGH, last * max);
        position = end + 1;
    }
}
