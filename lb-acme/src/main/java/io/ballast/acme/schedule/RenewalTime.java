package io.ballast.acme.schedule;

import io.ballast.acme.order.RenewalWindow;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/**
 * The time at which a certificate is renewed. Without a suggestion of the certificate authority (CA), it is about two
 * thirds of the lifetime: 60 of 90 days. A random part spreads the renewals of many certificates. Stateless.
 */
final class RenewalTime {

    /** The largest share of the lifetime by which the random part can move a renewal forward. */
    private static final double JITTER = 0.05;

    private static final double SHARE = 2.0 / 3;

    /** The share of the lifetime after which a certificate is renewed even if the CA suggests a later time. */
    private static final double LATEST_SHARE = 0.9;

    private RenewalTime() {}

    /** @param random from 0 to 1 */
    static Instant of(X509Certificate certificate, double random) {
        return after(certificate, SHARE - JITTER * random);
    }

    /**
     * Returns a random time in the window that the CA suggests, but not later than nine tenths of the lifetime.
     *
     * @param random from 0 to 1
     */
    static Instant within(RenewalWindow window, X509Certificate certificate, double random) {
        Duration length = Duration.between(window.start(), window.end());
        Instant chosen = window.start().plusMillis((long) (length.toMillis() * random));
        Instant latest = after(certificate, LATEST_SHARE);
        return chosen.isBefore(latest) ? chosen : latest;
    }

    private static Instant after(X509Certificate certificate, double share) {
        Instant from = certificate.getNotBefore().toInstant();
        Duration lifetime = Duration.between(from, certificate.getNotAfter().toInstant());
        return from.plusMillis((long) (lifetime.toMillis() * share));
    }
}
