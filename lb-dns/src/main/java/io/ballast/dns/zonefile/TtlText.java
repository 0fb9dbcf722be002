package io.ballast.dns.zonefile;

/**
 * A TTL in zone file notation: seconds, or a sum of weeks, days, hours, minutes and seconds such as {@code
 * 1h30m}.
 */
final class TtlText {

    /** The longest TTL (<a href="https://datatracker.ietf.org/doc/html/rfc2181#section-8">RFC 2181 section 8</a>). */
    static final long MAX_SECONDS = Integer.MAX_VALUE;

    /** Sentinel: the text is not a TTL. */
    static final long NONE = -1;

    /** Computed values are capped at this limit; all larger values are equally invalid. */
    private static final long BOUND = 1L << 48;

    private TtlText() {}

    /**
     * Returns the TTL in seconds, which may exceed {@link #MAX_SECONDS}; {@link #NONE} if the text is not a TTL.
     */
    static long seconds(String text) {
        if (text.isEmpty() || !isDigit(text.charAt(0))) {
            return NONE;
        }
        long sum = 0;
        long number = 0;
        boolean open = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isDigit(c)) {
                number = Math.min(number * 10 + c - '0', BOUND);
                open = true;
                continue;
            }
            long unit = unit(c);
            if (unit == NONE || !open) {
                return NONE;
            }
            sum = Math.min(sum + number * unit, BOUND);
            number = 0;
            open = false;
        }
        return open ? Math.min(sum + number, BOUND) : sum;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static long unit(char c) {
        return switch (c) {
            case 's', 'S' -> 1;
            case 'm', 'M' -> 60;
            case 'h', 'H' -> 3600;
            case 'd', 'D' -> 86_400;
            case 'w', 'W' -> 604_800;
            default -> NONE;
        };
    }
}
