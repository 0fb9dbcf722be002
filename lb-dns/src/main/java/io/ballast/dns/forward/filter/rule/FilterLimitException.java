package io.ballast.dns.forward.filter.rule;

/**
 * Thrown when the rules exceed a limit. All of the rules are rejected, and the previous rules stay active.
 */
public final class FilterLimitException extends Exception {

    private static final long serialVersionUID = 1;

    FilterLimitException(String message) {
        super(message);
    }

    public static void check(long value, long max, String name) throws FilterLimitException {
        if (value > max) {
            throw new FilterLimitException(name + ": " + value + " (expected: at most " + max + ")");
        }
    }
}
