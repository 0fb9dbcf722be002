package io.ballast.acme.schedule;

import java.security.cert.X509Certificate;

/** The result of an order. */
sealed interface OrderResult {

    /** The certificate is stored, and listeners serve it within a second. */
    record Issued(String issuer, X509Certificate certificate) implements OrderResult {}

    /** The order failed; the last certificate stays in use. */
    record Failed(FailedOrder failure) implements OrderResult {}
}
