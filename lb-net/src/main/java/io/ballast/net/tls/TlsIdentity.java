package io.ballast.net.tls;

import io.ballast.core.config.TlsFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/**
 * A server's certificate with its key, which belong together.
 *
 * @param key the private key
 * @param chain the server's certificate, then those of its issuers; at least one
 */
public record TlsIdentity(PrivateKey key, List<X509Certificate> chain) {

    public TlsIdentity {
        chain = List.copyOf(chain);
    }

    /** The server's own certificate. */
    public X509Certificate certificate() {
        return chain.get(0);
    }

    /**
     * Reads both files.
     *
     * @throws IOException if one cannot be read or used, or if they do not belong together; the message names the file
     */
    public static TlsIdentity load(TlsFiles files) throws IOException {
        List<X509Certificate> chain = chain(files.certificate());
        PrivateKey key = key(files.key());
        try {
            if (belongTogether(key, chain.get(0).getPublicKey())) {
                return new TlsIdentity(key, chain);
            }
        } catch (GeneralSecurityException e) {
            throw broken(files.key(), e);
        }
        throw new IOException(files.key() + ": not the key of the first certificate in " + files.certificate());
    }

    private static List<X509Certificate> chain(Path file) throws IOException {
        List<X509Certificate> chain = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (PemBlock block : blocks(file)) {
                if (block.label().equals("CERTIFICATE")) {
                    chain.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.bytes())));
                }
            }
        } catch (GeneralSecurityException e) {
            throw broken(file, e);
        }
        if (chain.isEmpty()) {
            throw new IOException(file + ": no certificate (expected: PEM with -----BEGIN CERTIFICATE-----)");
        }
        return chain;
    }

    private static PrivateKey key(Path file) throws IOException {
        for (PemBlock block : blocks(file)) {
            if (PrivateKeys.isKey(block)) {
                try {
                    return PrivateKeys.read(block);
                } catch (GeneralSecurityException e) {
                    throw broken(file, e);
                }
            }
        }
        throw new IOException(file + ": no private key (expected: PEM with -----BEGIN PRIVATE KEY-----)");
    }

    private static List<PemBlock> blocks(Path file) throws IOException {
        try {
            return PemBlock.read(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException e) {
            throw broken(file, e);
        } catch (NoSuchFileException e) {
            throw new IOException(file + ": no such file", e);
        }
    }

    private static IOException broken(Path file, Exception cause) {
        return new IOException(file + ": " + cause.getMessage(), cause);
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
