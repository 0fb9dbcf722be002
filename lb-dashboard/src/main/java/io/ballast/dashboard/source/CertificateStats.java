package io.ballast.dashboard.source;

import java.time.Instant;
import java.util.List;

/**
 * A certificate that a listener presents to clients.
 *
 * @param file its file; unique within a listener, and a metric label
 * @param names DNS names and addresses of the certificate
 * @param issuer name of the issuer
 * @param notAfter when it expires
 */
public record CertificateStats(String file, List<String> names, String issuer, Instant notAfter) {

    public CertificateStats {
        names = List.copyOf(names);
    }
}
