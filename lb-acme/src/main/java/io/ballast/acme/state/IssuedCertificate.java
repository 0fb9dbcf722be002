package io.ballast.acme.state;

import java.security.cert.X509Certificate;
import java.time.Instant;

/**
 * A stored certificate.
 *
 * @param issuer the name of the issuer in the configuration
 * @param isRevoked whether it was revoked
 */
public record IssuedCertificate(String issuer, X509Certificate certificate, boolean isRevoked) {

    /** Whether clients accept the certificate at this time. */
    public boolean isUsable(Instant now) {
        return !isRevoked
                && !now.isBefore(certificate.getNotBefore().toInstant())
                && now.isBefore(certificate.getNotAfter().toInstant());
    }
}
