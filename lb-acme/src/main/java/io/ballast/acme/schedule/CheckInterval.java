package io.ballast.acme.schedule;

import io.ballast.acme.order.RenewalWindow;
import java.time.Duration;
import java.time.Instant;

/** The interval at which a certificate authority (CA) is asked when to renew (RFC 9773 section 4.3). Stateless. */
final class CheckInterval {

    /** The interval if the CA specifies none. */
    private static final Duration DEFAULT = Duration.ofHours(6);

    private static final Duration MIN = Duration.ofMinutes(1);
    private static final Duration MAX = Duration.ofDays(1);

    private CheckInterval() {}

    /** Returns the time of the next request if the CA did not answer. */
    static Instant next(Instant now) {
        return now.plus(DEFAULT);
    }

    /** Returns the time of the next request as specified by the CA, limited to 1 minute to 1 day from now. */
    static Instant next(RenewalWindow window, Instant now) {
        Instant again = window.checkAgainAt().orElse(next(now));
        Instant earliest = now.plus(MIN);
        Instant latest = now.plus(MAX);
        return again.isBefore(earliest) ? earliest : again.isAfter(latest) ? latest : again;
    }
}
