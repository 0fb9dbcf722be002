package io.ballast.net.config;

import java.nio.file.Path;

/**
 * Which clients a listener serves by their certificates.
 *
 * @param ca PEM file with the certificates of those who may issue them
 * @param mode what becomes of a client that has none
 */
public record ClientCertificates(Path ca, Mode mode) {

    public static final Mode DEFAULT_MODE = Mode.REQUIRED;

    /** The treatment of clients without a certificate. Clients with an invalid certificate are always refused. */
    public enum Mode {
        /** The client is served. */
        OPTIONAL,
        /** Its handshake fails. */
        REQUIRED
    }
}
