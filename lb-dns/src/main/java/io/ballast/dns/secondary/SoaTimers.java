package io.ballast.dns.secondary;

import java.time.Duration;
import org.xbill.DNS.SOARecord;

/**
 * The timers of a secondary zone from the SOA record (<a
 * href="https://datatracker.ietf.org/doc/html/rfc1035#section-3.3.13">RFC 1035 section 3.3.13</a>), within
 * limits.
 *
 * @param refresh interval after a success
 * @param retry interval after a failure
 * @param expire lifetime of the zone without a success; longer than {@code refresh} and {@code retry}
 *     together
 */
record SoaTimers(Duration refresh, Duration retry, Duration expire) {

    static final Duration MIN_REFRESH = Duration.ofSeconds(30);
    static final Duration MAX_REFRESH = Duration.ofDays(28);
    static final Duration MIN_RETRY = Duration.ofSeconds(10);
    static final Duration MAX_RETRY = Duration.ofDays(14);
    static final Duration MAX_EXPIRE = Duration.ofDays(366);

    /** Retry delay of a zone without a version, doubled after each failure. */
    private static final Duration FIRST_RETRY = Duration.ofSeconds(5);

    private static final int MAX_DOUBLINGS = 7;

    static SoaTimers of(SOARecord soa) {
        Duration refresh = clamp(MIN_REFRESH, soa.getRefresh(), MAX_REFRESH);
        Duration retry = clamp(MIN_RETRY, soa.getRetry(), MAX_RETRY);
        return new SoaTimers(refresh, retry, clamp(refresh.plus(retry), soa.getExpire(), MAX_EXPIRE));
    }

    /** Delay of the next attempt after the given number of failures. */
    static Duration firstTransferDelay(int failures) {
        return FIRST_RETRY.multipliedBy(1L << Math.min(Math.max(0, failures - 1), MAX_DOUBLINGS));
    }

    private static Duration clamp(Duration min, long seconds, Duration max) {
        Duration wanted = Duration.ofSeconds(seconds);
        if (wanted.compareTo(min) < 0) {
            return min;
        }
        return wanted.compareTo(max) > 0 ? max : wanted;
    }
}
