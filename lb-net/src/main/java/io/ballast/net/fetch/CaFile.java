package io.ballast.net.fetch;

import io.ballast.core.ErrorText;
import io.ballast.net.tls.CertificateFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;

/**
 * A file with the certificates of authorities that issue server certificates. Two instances are equal if the names of
 * the files and the certificates are equal. Immutable.
 *
 * @param certificates the certificates, at least one
 */
public record CaFile(Path file, List<X509Certificate> certificates) {

    /** The maximum size of a file in bytes; all authorities that browsers trust have less than 300 KiB. */
    public static final int MAX_BYTES = 1 << 20;

    public CaFile {
        certificates = List.copyOf(certificates);
    }

    /**
     * Reads the content of a file.
     *
     * @param text the content
     * @throws IOException if it contains no certificate, or an unusable one; the message names the file
     */
    public static CaFile parse(Path file, String text) throws IOException {
        List<X509Certificate> certificates = CertificateFile.parse(file, text);
        try {
            SSLContext unused = TrustedAuthorities.sslContext(certificates);
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": " + ErrorText.reason(e), e);
        }
        return new CaFile(file, certificates);
    }

    /** Returns settings of a client that accepts a server only if one of the authorities has issued its certificate. */
    public SSLContext sslContext() {
        try {
            return TrustedAuthorities.sslContext(certificates);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(file + ": " + ErrorText.reason(e), e);
        }
    }
}
