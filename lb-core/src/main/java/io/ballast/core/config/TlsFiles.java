package io.ballast.core.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a certificate and its key are kept, in PEM. The files may be one and the same.
 *
 * @param certificate the certificate, then those of its issuers, as far as peers do not have them
 * @param key the private key of the first certificate
 * @param ocsp a response of its issuer about it (RFC 6960, in DER), which clients get with it; absent for none
 */
public record TlsFiles(Path certificate, Path key, Optional<Path> ocsp) {

    /** Files without a response of the issuer. */
    public TlsFiles(Path certificate, Path key) {
        this(certificate, key, Optional.empty());
    }
}
