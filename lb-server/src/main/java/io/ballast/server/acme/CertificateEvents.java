package io.ballast.server.acme;

import io.ballast.acme.schedule.RenewalListener;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import java.time.Instant;

/** Reports issued certificates and failed orders to the timeline. */
record CertificateEvents(ControlPlane control) implements RenewalListener {

    @Override
    public void issued(String name, Instant notAfter) {
        report(name, "issued; expires at " + notAfter);
    }

    @Override
    public void failed(String name, String reason, Instant retryAt) {
        report(name, "not issued: " + reason + "; the next order is at " + retryAt);
    }

    private void report(String name, String text) {
        control.execute(() -> control.timeline().add(Origin.CHECK, "certificate " + name, text));
    }
}
