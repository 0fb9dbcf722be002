package io.ballast.dns.secondary;

import java.time.Duration;
import org.xbill.DNS.SOARecord;

/**
 * When a secondary asks its primaries, as the SOA record says (<a
 * href="https://datatracker.ietf.org/doc/html/rfc1035#section-3.3.13">RFC 1035 section 3.3.13</a>), within bounds: a record may
 * say anything.
 *
 * @param refresh after a success
 * @param retry after a failure
 * @param expire when nothing is answered any more without a success; longer than the other two together
 */
record SoaTimers(Duration refresh, Duration retry, Duration expire) {

    static final Duration LEAST_REFRESH = Duration.ofSeconds(30);
    static final Duration MOST_REFRESH = Duration.ofDays(28);
    static final Duration LEAST_RETRY = Duration.ofSeconds(10);
    static final Duration MOST_RETRY = Duration.ofDays(14);
    static final Duration MOST_EXPIRE = Duration.ofDays(366);

    /** For a zone of which nothing has come yet, doubled from failure to failure. */
    private static final Duration FIRST_RETRY = Duration.ofSeconds(5);

    private static final int MOST_DOUBLINGS = 7;

    static SoaTimers of(SOARecord soa) {
        Duration refresh = between(LEAST_REFRESH, soa.getRefresh(), MOST_REFRESH);
        Duration retry = between(LEAST_RETRY, soa.getRetry(), MOST_RETRY);
        return new SoaTimers(refresh, retry, between(refresh.plus(retry), soa.getExpire(), MOST_EXPIRE));
    }

    /** How long until the next try, when nothing has come after so many. */
    static Duration untilFirst(int failures) {
        return FIRST_RETRY.multipliedBy(1L << Math.min(Math.max(0, failures - 1), MOST_DOUBLINGS));
    }

    private static Duration between(Duration least, long seconds, Duration most) {
        Duration wanted = Duration.ofSeconds(seconds);
        if (wanted.compareTo(least) < 0) {
            return least;
        }
        return wanted.compareTo(most) > 0 ? most : wanted;
    }
}
