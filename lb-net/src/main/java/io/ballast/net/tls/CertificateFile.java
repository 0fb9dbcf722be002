package io.ballast.net.tls;

import io.ballast.core.ErrorText;
import io.ballast.core.RegularFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** Reads PEM files with certificates. */
public final class CertificateFile {

    private static final int MAX_BYTES = 16 * 1024 * 1024;

    private CertificateFile() {}

    /**
     * Reads the certificates of a file in their order; at least one.
     *
     * @throws IOException if it cannot be read, or contains no certificate; the message names the file
     */
    public static List<X509Certificate> read(Path file) throws IOException {
        return certificates(file, blocks(file));
    }

    /**
     * Returns the certificates of a file that has been read, in their order; at least one.
     *
     * @param text the content of the file
     * @throws IOException if it contains no certificate; the message names the file
     */
    public static List<X509Certificate> parse(Path file, String text) throws IOException {
        try {
            return certificates(file, PemBlock.read(text));
        } catch (IllegalArgumentException e) {
            throw unusableFileException(file, e);
        }
    }

    private static List<X509Certificate> certificates(Path file, List<PemBlock> blocks) throws IOException {
        List<X509Certificate> certificates = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (PemBlock block : blocks) {
                if (block.label().equals("CERTIFICATE")) {
                    certificates.add(
                            (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.bytes())));
                }
            }
        } catch (GeneralSecurityException e) {
            throw unusableFileException(file, e);
        }
        if (certificates.isEmpty()) {
            throw new IOException(file + ": no certificate found (expected: PEM with -----BEGIN CERTIFICATE-----)");
        }
        return certificates;
    }

    static List<PemBlock> blocks(Path file) throws IOException {
        try {
            return PemBlock.read(new String(bytes(file), StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException e) {
            throw unusableFileException(file, e);
        }
    }

    static byte[] bytes(Path file) throws IOException {
        try (InputStream in = RegularFile.open(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException("larger than " + MAX_BYTES + " bytes");
            }
            return bytes;
        } catch (NoSuchFileException e) {
            throw new IOException(file + ": no such file", e);
        } catch (AccessDeniedException e) {
            throw new IOException(file + ": permission denied", e);
        } catch (IOException e) {
            throw unusableFileException(file, e);
        }
    }

    static IOException unusableFileException(Path file, Exception cause) {
        return new IOException(file + ": " + ErrorText.reason(cause), cause);
    }
}
