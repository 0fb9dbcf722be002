package io.ballast.dns.forward.filter.rule;

/** There are more rules than may be, or more octets of them. Nothing is cut off: what was there before stays. */
public final class FilterLimitException extends Exception {

    private static final long serialVersionUID = 1;

    FilterLimitException(String message) {
        super(message);
    }

    public static void check(long value, long most, String what) throws FilterLimitException {
        if (value > most) {
            throw new FilterLimitException(what + ": " + value + " (expected: at most " + most + ")");
        }
    }
}
