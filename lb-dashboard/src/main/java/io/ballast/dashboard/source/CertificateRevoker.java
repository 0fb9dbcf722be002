package io.ballast.dashboard.source;

import java.util.concurrent.CompletableFuture;

/** Revokes certificates that were ordered by ACME. */
@FunctionalInterface
public interface CertificateRevoker {

    /**
     * Revokes the present certificate of a name. Returns immediately.
     *
     * @param name a host name or wildcard in lower case
     * @param reason such as {@code key-compromise}
     * @param who the operator
     * @return whether a new certificate is ordered. The future fails with {@link IllegalArgumentException} if the
     *     reason is unknown, {@link java.util.NoSuchElementException} if there is no certificate for the name, {@link
     *     io.ballast.core.control.UnavailableException} if the process cannot revoke it now, and {@link
     *     RevocationRefusedException} if the certificate authority refuses or cannot be reached
     */
    CompletableFuture<Boolean> revoke(String name, String reason, String who);

    /** Thrown if the certificate authority has not revoked the certificate. The message gives the reason. */
    final class RevocationRefusedException extends RuntimeException {

        private static final long serialVersionUID = 1;

        public RevocationRefusedException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
