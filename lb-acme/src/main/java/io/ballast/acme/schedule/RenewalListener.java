package io.ballast.acme.schedule;

import java.time.Instant;

/** Receives the results of orders, on the thread that orders the certificates. */
public interface RenewalListener {

    /**
     * Called when a certificate was issued and stored. Listeners serve it within a second.
     *
     * @param issuer the name of its issuer
     * @param notAfter its expiry
     */
    void issued(String name, String issuer, Instant notAfter);

    /** Called when an order failed. The last certificate stays in use. */
    void failed(String name, FailedOrder failure);

    /**
     * Called when an operator has revoked a certificate.
     *
     * @param isReplaced whether a new certificate is ordered now; false if the configuration does not contain the name
     */
    void revoked(String name, Revocation revocation, boolean isReplaced);
}
