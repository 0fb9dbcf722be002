package io.ballast.dns.transfer;

/** Serial numbers of zones (<a href="https://datatracker.ietf.org/doc/html/rfc1982">RFC 1982</a>). Any thread may call. */
final class Serial {

    private Serial() {}

    /** Whether one comes after the other; no for the two that are as far apart as can be. */
    static boolean isAfter(long one, long other) {
        return (int) (one - other) > 0;
    }
}
