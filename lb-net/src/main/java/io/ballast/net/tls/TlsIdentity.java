package io.ballast.net.tls;

import io.ballast.core.config.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * A certificate with its key, which belong together.
 *
 * @param key the private key
 * @param chain the certificate, then those of its issuers; at least one
 */
public record TlsIdentity(PrivateKey key, List<X509Certificate> chain) {

    public TlsIdentity {
        chain = List.copyOf(chain);
    }

    /** The first certificate, which the key belongs to. */
    public X509Certificate certificate() {
        return chain.get(0);
    }

    /**
     * Reads both files.
     *
     * @throws IOException if one cannot be read or used, if they do not belong together, or if the certificate does not
     *     hold now; the message names the file
     */
    public static TlsIdentity load(TlsFiles files) throws IOException {
        return load(files, Instant.now());
    }

    static TlsIdentity load(TlsFiles files, Instant now) throws IOException {
        List<X509Certificate> chain = CertificateFile.read(files.certificate());
        checkValidity(chain.get(0), files.certificate(), now);
        PrivateKey key = key(files.key());
        try {
            if (belongTogether(key, chain.get(0).getPublicKey())) {
                return new TlsIdentity(key, chain);
            }
        } catch (GeneralSecurityException e) {
            throw CertificateFile.broken(files.key(), e);
        }
        throw new IOException(files.key() + ": not the key of the first certificate in " + files.certificate());
    }

    private static void checkValidity(X509Certificate certificate, Path file, Instant now) throws IOException {
        Instant from = certificate.getNotBefore().toInstant();
        Instant to = certificate.getNotAfter().toInstant();
        if (now.isAfter(to)) {
            throw new IOException(file + ": the certificate expired at " + to);
        }
        if (now.isBefore(from)) {
            throw new IOException(file + ": the certificate does not hold before " + from);
        }
    }

    private static PrivateKey key(Path file) throws IOException {
        for (PemBlock block : CertificateFile.blocks(file)) {
            if (PrivateKeys.isKey(block)) {
                try {
                    return PrivateKeys.read(block);
                } catch (GeneralSecurityException e) {
                    throw CertificateFile.broken(file, e);
                }
            }
        }
        throw new IOException(file + ": no private key (expected: PEM with -----BEGIN PRIVATE KEY-----)");
    }

    /** What the one signs, the other verifies. */
    private static boolean belongTogether(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        if (!key.getAlgorithm().equals(certified.getAlgorithm())) {
            return false;
        }
        String algorithm =
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> key.getAlgorithm();
                };
        byte[] sample = certified.getEncoded();
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(sample);
        byte[] signed = signature.sign();
        signature.initVerify(certified);
        signature.update(sample);
        return signature.verify(signed);
    }
}
