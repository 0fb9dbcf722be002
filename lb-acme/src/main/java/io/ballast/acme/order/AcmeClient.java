package io.ballast.acme.order;

import io.ballast.net.tls.TlsIdentity;
import java.security.cert.X509Certificate;
import java.util.Optional;

/** An account at a certificate authority (CA). One thread at a time calls it; it blocks. */
public interface AcmeClient {

    /**
     * Orders a certificate for one name. Creates the account first if it does not exist.
     *
     * @param name a host name or a wildcard
     * @param replaced the certificate that the new one replaces, if any
     * @return the certificate with its issuers, and a new key
     * @throws OrderException if the CA refuses or cannot be reached, or a challenge cannot be answered
     */
    TlsIdentity order(String name, Optional<X509Certificate> replaced) throws OrderException, InterruptedException;

    /**
     * Returns when the CA suggests to renew a certificate (<a
     * href="https://datatracker.ietf.org/doc/html/rfc9773">RFC 9773</a>); empty if the CA makes no suggestions.
     */
    Optional<RenewalWindow> renewalWindow(X509Certificate certificate) throws OrderException, InterruptedException;

    /**
     * Revokes a certificate (RFC 8555 section 7.6). Does nothing if it is already revoked.
     *
     * @throws OrderException if the CA refuses or cannot be reached
     */
    void revoke(X509Certificate certificate, RevocationCode reason) throws OrderException, InterruptedException;
}
