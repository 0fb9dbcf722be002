package io.ballast.dns.zone;

import io.ballast.core.control.ControlPlane;
import io.ballast.dns.zone.signing.SignedZones;
import io.ballast.dns.zone.signing.SigningSetup;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Checks keys and the age of signatures in the background, every {@link #INTERVAL}, and requests re-signing if needed.
 *
 * <p>Thread safety: started by one thread, closed by any thread; the work is done by the signer.
 */
final class SignatureRenewal {

    static final Duration INTERVAL = Duration.ofSeconds(2);

    private final ControlPlane control;
    private final Executor signer;
    private final SignedZones zones;
    private final Renewing renew;
    private volatile boolean closed;

    /** Re-signs zones whose keys have changed. */
    @FunctionalInterface
    interface Renewing {

        /** @param isOld whether the signatures of all zones may need renewal, so that all zones must be re-signed */
        void renew(boolean isOld);
    }

    /** @param renew callback that re-signs the zones; called on the signer thread */
    SignatureRenewal(SigningSetup setup, SignedZones zones, Renewing renew) {
        this.control = setup.control();
        this.signer = setup.signer();
        this.zones = zones;
        this.renew = renew;
    }

    /** Starts the periodic checks. All zones must have been signed before. */
    void start() {
        scheduleNextCheck();
    }

    private void scheduleNextCheck() {
        control.schedule(() -> signer.execute(this::renewIfDue), INTERVAL);
    }

    private void renewIfDue() {
        if (closed) {
            return;
        }
        try {
            if (zones.isDue()) {
                boolean isOld = zones.areSignaturesOld();
                renew.renew(isOld);
                zones.markRenewed(isOld);
            }
        } finally {
            scheduleNextCheck();
        }
    }

    void close() {
        closed = true;
    }
}
