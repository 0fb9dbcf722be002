package io.ballast.net.config;

import java.nio.file.Path;

/**
 * How a listener verifies client certificates.
 *
 * @param ca PEM file with the certificates of the accepted issuers
 * @param mode how a client without a certificate is treated
 */
public record ClientCertificates(Path ca, Mode mode) {

    public static final Mode DEFAULT_MODE = Mode.REQUIRED;

    /** The treatment of clients without a certificate. Clients with an invalid certificate are always refused. */
    public enum Mode {
        /** A client without a certificate is accepted. */
        OPTIONAL,
        /** A client without a certificate is refused: the TLS handshake fails. */
        REQUIRED
    }
}
