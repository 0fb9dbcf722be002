package io.ballast.dashboard;

import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import io.ballast.dashboard.source.CertificateStats;
import io.ballast.dashboard.source.ListenerStats;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds an event to the timeline when a certificate of a listener expires soon, expires within hours, has expired, or
 * was renewed after such an event.
 *
 * <p>Thread safety: confined to one thread.
 */
final class CertificateWatch {

    private static final Logger LOG = LoggerFactory.getLogger(CertificateWatch.class);

    private final Supplier<Duration> warning;
    private final Supplier<List<ListenerStats>> listeners;
    private final ControlPlane control;
    private Map<CertificateId, CertificateExpiry> lastStates = Map.of();

    /** The identity of a certificate, which a renewal does not change. */
    private record CertificateId(String listener, String file) {}

    /**
     * @param warning how long before its expiry a certificate counts as expiring
     */
    CertificateWatch(Supplier<Duration> warning, Supplier<List<ListenerStats>> listeners, ControlPlane control) {
        this.warning = warning;
        this.listeners = listeners;
        this.control = control;
    }

    /** Compares the expiry of every certificate with its state at the last call, and adds events for changes. */
    void checkCertificates(Instant now) {
        Duration before = warning.get();
        Map<CertificateId, CertificateExpiry> next = new HashMap<>();
        for (ListenerStats listener : listeners.get()) {
            for (CertificateStats certificate : listener.certificates()) {
                CertificateId shown = new CertificateId(listener.name(), certificate.file());
                CertificateExpiry is = CertificateExpiry.of(certificate.notAfter(), before, now);
                CertificateExpiry was = lastStates.getOrDefault(shown, CertificateExpiry.VALID);
                next.put(shown, is);
                if (is.compareTo(was) > 0) {
                    warn(listener, certificate, now);
                } else if (is == CertificateExpiry.VALID && was != is) {
                    addEvent(listener, certificate, "was renewed, and is valid until " + certificate.notAfter());
                }
            }
        }
        lastStates = next;
    }

    private void warn(ListenerStats listener, CertificateStats certificate, Instant now) {
        String text = CertificateExpiry.text(certificate.notAfter(), now) + ", at " + certificate.notAfter();
        LOG.warn(
                "listener={} certificate={} msg=\"certificate {}; renew it and replace the file\"",
                listener.name(),
                certificate.file(),
                text);
        addEvent(listener, certificate, text);
    }

    private void addEvent(ListenerStats listener, CertificateStats certificate, String text) {
        String name = certificate.names().isEmpty()
                ? ""
                : " for " + certificate.names().get(0);
        control.execute(() -> control.timeline()
                .add(
                        Origin.FILE,
                        "listener " + listener.name(),
                        "certificate " + certificate.file() + name + " " + text));
    }
}
