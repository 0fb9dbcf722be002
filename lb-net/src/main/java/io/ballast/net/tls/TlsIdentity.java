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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A certificate and its matching private key.
 *
 * @param key the private key
 * @param chain the certificate, followed by the certificates of its issuers; at least one
 */
public record TlsIdentity(PrivateKey key, List<X509Certificate> chain) {

    public TlsIdentity {
        chain = List.copyOf(chain);
    }

    /** The first certificate, which belongs to the key. */
    public X509Certificate certificate() {
        return chain.get(0);
    }

    /**
     * Reads both files. The certificate may be expired, see {@link #invalidityReason}.
     *
     * @throws IOException if a file cannot be read or used, or if key and certificate do not match; the message names
     * the file
     */
    public static TlsIdentity load(TlsFiles files) throws IOException {
        List<X509Certificate> chain = CertificateFile.read(files.certificate());
        return of(files, key(files.key(), CertificateFile.blocks(files.key())), chain);
    }

    /**
     * Reads a key and a certificate chain from a text in PEM; otherwise like {@link #load}.
     *
     * @param source the file that error messages name
     */
    public static TlsIdentity parse(Path source, String text) throws IOException {
        List<X509Certificate> chain = CertificateFile.parse(source, text);
        return of(new TlsFiles(source, source), key(source, PemBlock.read(text)), chain);
    }

    private static TlsIdentity of(TlsFiles files, PrivateKey key, List<X509Certificate> chain) throws IOException {
        try {
            if (belongTogether(key, chain.get(0).getPublicKey())) {
                return new TlsIdentity(key, chain);
            }
        } catch (GeneralSecurityException e) {
            throw CertificateFile.unusableFileException(files.key(), e);
        }
        throw new IOException(files.key() + ": the key does not match the first certificate in " + files.certificate());
    }

    /** Returns the reason why peers reject the certificate at {@code now}; empty if its dates are valid. */
    public Optional<String> invalidityReason(Instant now) {
        Instant from = certificate().getNotBefore().toInstant();
        Instant to = certificate().getNotAfter().toInstant();
        if (now.isAfter(to)) {
            return Optional.of("the certificate expired at " + to);
        }
        return now.isBefore(from) ? Optional.of("the certificate is not valid before " + from) : Optional.empty();
    }

    /**
     * Checks that a certificate that is expired or not yet valid does not replace a valid one.
     *
     * @param before the certificate in use; null if there is none
     * @throws IOException if this certificate must not replace the one in use; the message names the file
     */
    void checkReplaces(@Nullable TlsIdentity before, Path file, Instant now) throws IOException {
        Optional<String> fault = invalidityReason(now);
        if (fault.isPresent() && before != null && before.invalidityReason(now).isEmpty()) {
            throw new IOException(file + ": " + fault.get());
        }
    }

    private static PrivateKey key(Path file, List<PemBlock> blocks) throws IOException {
        for (PemBlock block : blocks) {
            if (PrivateKeys.isKey(block)) {
                try {
                    return PrivateKeys.read(block);
                } catch (GeneralSecurityException e) {
                    throw CertificateFile.unusableFileException(file, e);
                }
            }
        }
        throw new IOException(file + ": no private key found (expected: PEM with -----BEGIN PRIVATE KEY-----)");
    }

    /** Checks that a key and a certificate match, by signing with the key and verifying with the certificate. */
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
