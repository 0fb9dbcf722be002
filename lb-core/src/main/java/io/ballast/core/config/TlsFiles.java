package io.ballast.core.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The PEM files of a certificate and its key, which may be the same file.
 *
 * @param certificate the certificate, followed by the intermediate certificates that clients do not have
 * @param key the private key of the first certificate
 * @param ocsp an OCSP response for the certificate (RFC 6960, in DER), which is stapled; absent for none
 */
public record TlsFiles(Path certificate, Path key, Optional<Path> ocsp) {

    /** Creates an instance without an OCSP response. */
    public TlsFiles(Path certificate, Path key) {
        this(certificate, key, Optional.empty());
    }
}
