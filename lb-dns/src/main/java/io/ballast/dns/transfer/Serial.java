package io.ballast.dns.transfer;

/**
 * Serial numbers of zones (<a href="https://datatracker.ietf.org/doc/html/rfc1982">RFC 1982</a>). Thread
 * safety: any thread may call it.
 */
final class Serial {

    private Serial() {}

    /**
     * Whether {@code one} comes after {@code other}; false for serials that are 2^31 apart, the maximum distance.
     */
    static boolean isAfter(long one, long other) {
        return (int) (one - other) > 0;
    }
}
