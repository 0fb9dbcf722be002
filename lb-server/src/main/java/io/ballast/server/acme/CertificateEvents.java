package io.ballast.server.acme;

import io.ballast.acme.schedule.FailedOrder;
import io.ballast.acme.schedule.RenewalListener;
import io.ballast.acme.schedule.Revocation;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import java.time.Instant;

/** Reports issued certificates and failed orders to the timeline. */
record CertificateEvents(ControlPlane control) implements RenewalListener {

    @Override
    public void issued(String name, String issuer, Instant notAfter) {
        report(name, "issued by " + issuer + "; expires at " + notAfter);
    }

    @Override
    public void failed(String name, FailedOrder failure) {
        String next = failure.nextIssuer()
                .map(issuer -> "; " + issuer + " is tried next")
                .orElse("; the next order is at " + failure.retryAt());
        report(name, "not issued by " + failure.issuer() + ": " + failure.reason() + next);
    }

    @Override
    public void revoked(String name, Revocation revocation, boolean isReplaced) {
        String next = isReplaced ? "; a new one is ordered" : "; its files are deleted";
        report(Origin.OPERATOR, name, "revoked (" + revocation.reason().label() + ") by " + revocation.who() + next);
    }

    private void report(String name, String text) {
        report(Origin.CHECK, name, text);
    }

    private void report(Origin origin, String name, String text) {
        control.execute(() -> control.timeline().add(origin, "certificate " + name, text));
    }
}
