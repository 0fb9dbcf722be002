package io.ballast.dashboard;

import java.time.Duration;
import java.time.Instant;

/** The stages before and after the expiry of a certificate. */
public enum CertificateExpiry {

    /** The certificate is still valid after the configured warning period. */
    VALID,
    /** The certificate expires within the configured warning period. */
    EXPIRING,
    /** The certificate expires within {@value #SOON_DAYS} days; the remaining time is shown in hours. */
    SOON,
    EXPIRED;

    private static final int SOON_DAYS = 2;
    private static final Duration SOON_TIME = Duration.ofDays(SOON_DAYS);

    /**
     * @param warning how long before its expiry a certificate counts as expiring
     */
    public static CertificateExpiry of(Instant notAfter, Duration warning, Instant now) {
        Duration left = Duration.between(now, notAfter);
        if (left.isNegative()) {
            return EXPIRED;
        }
        if (left.compareTo(warning) >= 0) {
            return VALID;
        }
        return left.compareTo(SOON_TIME) < 0 ? SOON : EXPIRING;
    }

    /** Returns a text such as "expires in 13 days", "expires in 31 hours" or "expired 2 days ago". */
    public static String text(Instant notAfter, Instant now) {
        Duration left = Duration.between(now, notAfter);
        return left.isNegative()
                ? "expired " + formatDuration(left.negated()) + " ago"
                : "expires in " + formatDuration(left);
    }

    private static String formatDuration(Duration time) {
        if (time.compareTo(SOON_TIME) >= 0) {
            return time.toDays() + " days";
        }
        long hours = time.toHours();
        return hours == 0 ? "less than an hour" : hours + (hours == 1 ? " hour" : " hours");
    }
}
