package io.ballast.server.compose;

import io.ballast.config.BallastConfig;
import io.ballast.core.config.TlsFiles;
import io.ballast.dashboard.CertificateExpiry;
import io.ballast.dashboard.config.ProbesConfig;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.http.config.ListenerConfig;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.tls.TlsIdentity;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The certificates of a configuration that expire within {@code dashboard.certificate_warning}. */
public final class ExpiringCertificates {

    private final List<String> warnings = new ArrayList<>();
    private final Duration warningTime;
    private final Instant now;

    private ExpiringCertificates(Duration before, Instant now) {
        this.warningTime = before;
        this.now = now;
    }

    /**
     * Returns a warning for each certificate that expires within the configured warning time, with its position
     * in the configuration. Skips unusable files, which {@link ReferencedFiles} reports as errors.
     */
    public static List<String> warnings(BallastConfig config, Instant now) {
        ExpiringCertificates expiring =
                new ExpiringCertificates(config.dashboard().certificateWarning(), now);
        List<ListenerConfig> listeners = config.listeners();
        for (int i = 0; i < listeners.size(); i++) {
            String place = "listeners[" + i + "].tls";
            listeners.get(i).tls().ifPresent(tls -> expiring.checkCertificates(place, tls));
        }
        config.dashboard().tls().ifPresent(tls -> expiring.checkCertificates("dashboard.tls", tls));
        config.dashboard()
                .probes()
                .flatMap(ProbesConfig::tls)
                .ifPresent(tls -> expiring.checkCertificates("probes.tls", tls));
        config.dns().ifPresent(dns -> {
            List<DnsListenerConfig> sockets = dns.listeners();
            for (int i = 0; i < sockets.size(); i++) {
                String place = "dns.listeners[" + i + "].tls";
                sockets.get(i).tls().ifPresent(files -> expiring.checkCertificates(place, files));
            }
        });
        return expiring.warnings;
    }

    private void checkCertificates(String place, ListenerTls tls) {
        tls.certificates().forEach(files -> checkCertificates(place, files));
    }

    private void checkCertificates(String place, TlsFiles files) {
        try {
            Instant end = TlsIdentity.load(files).certificate().getNotAfter().toInstant();
            // Expired certificates are not reported here, because ReferencedFiles reports them.
            if (end.isAfter(now) && CertificateExpiry.of(end, warningTime, now) != CertificateExpiry.VALID) {
                warnings.add(place + ": the certificate " + files.certificate() + " " + CertificateExpiry.text(end, now)
                        + ", at " + end);
            }
        } catch (IOException e) {
            // ReferencedFiles reports the failure as an error.
        }
    }
}
