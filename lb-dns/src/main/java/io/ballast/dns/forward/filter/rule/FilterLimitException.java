package io.ballast.dns.forward.filter.rule;

/** The rules exceed a limit. They are refused as a whole, and the former rules stay active. */
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
