package io.ballast.net.config;

import java.nio.file.Path;

/**
 * How a listener verifies client certificates.
 *
 * @param ca PEM file with the certificates of accepted issuers
 * @param mode handling of a client without a certificate
 */
public record ClientCertificates(Path ca, Mode mode) {

    public static final Mode DEFAULT_MODE = Mode.REQUIRED;

    /** The treatment of clients without a certificate. Clients with an invalid certificate are always refused. */
    public enum Mode {
        /** The client is served. */
        OPTIONAL,
        /** The handshake of the client fails. */
        REQUIRED
    }
}
