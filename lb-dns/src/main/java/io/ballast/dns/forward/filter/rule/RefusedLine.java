package io.ballast.dns.forward.filter.rule;

/**
 * A rejected line of a rule list.
 *
 * @param line line in the list, from 1
 * @param text the beginning of the line
 * @param expectedForm the expected form
 */
public record RefusedLine(int line, String text, String expectedForm) {

    private static final int MAX_SHOWN_CHARACTERS = 80;

    static RefusedLine of(int line, String text, String expected) {
        return new RefusedLine(
                line,
                text.length() <= MAX_SHOWN_CHARACTERS ? text : text.substring(0, MAX_SHOWN_CHARACTERS) + "…",
                expected);
    }

    @Override
    public String toString() {
        return "line " + line + ": " + text + " (expected: " + expectedForm + ")";
    }
}
