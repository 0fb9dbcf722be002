package io.ballast.acme.coordination;

import java.security.cert.X509Certificate;
import java.util.Optional;

/**
 * Decides whether this process orders certificates, if several processes share them. The methods return immediately.
 * Thread safety: any thread.
 */
public interface OrderCoordinator {

    /** This process shares its certificates with no other process. */
    OrderCoordinator ALONE = new OrderCoordinator() {
        @Override
        public boolean isShared() {
            return false;
        }

        @Override
        public boolean mayOrder() {
            return true;
        }

        @Override
        public String refusal() {
            return "";
        }

        @Override
        public void stored(String name, String issuer) {
            // no other process needs the certificate
        }

        @Override
        public void request(String name, Optional<X509Certificate> replaced) {
            // this process orders the certificate itself
        }
    };

    /**
     * Whether other processes have the same certificates. If so, this process deletes no revoked certificate; the
     * coordinator deletes it when all processes know the revocation.
     */
    boolean isShared();

    /** Whether this process orders, renews and revokes certificates now. */
    boolean mayOrder();

    /** Returns a text that tells an operator why this process does not order now, and which node does. */
    String refusal();

    /**
     * Called when the files of a certificate have changed: it was issued, or its revocation was recorded.
     *
     * @param issuer the name of its issuer in the configuration
     */
    void stored(String name, String issuer);

    /**
     * Requests a certificate on demand from the process that orders. The configured URL has already permitted the name.
     * The result is a call of {@link CoordinatedOrders#requestEnded}.
     *
     * @param replaced the certificate that must be renewed; empty if there is none
     */
    void request(String name, Optional<X509Certificate> replaced);
}
