package io.ballast.acme.schedule;

import java.time.Instant;

/** Receives the results of orders, on the thread that orders. */
public interface RenewalListener {

    /**
     * A certificate was issued, stored, and will be served within a second.
     *
     * @param notAfter its expiry
     */
    void issued(String name, Instant notAfter);

    /**
     * An order failed. The last certificate stays in use.
     *
     * @param retryAt the time of the next order
     */
    void failed(String name, String reason, Instant retryAt);

    /**
     * An operator has revoked a certificate.
     *
     * @param isReplaced whether a new one is ordered now; it is not if the configuration does not contain the name
     */
    void revoked(String name, Revocation revocation, boolean isReplaced);
}
