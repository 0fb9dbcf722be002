package io.ballast.net.tls;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;

/** Writes keys and certificates as PEM (RFC 7468). Stateless. */
public final class PemText {

    private static final int LINE_LENGTH = 64;
    private static final Base64.Encoder ENCODER = Base64.getMimeEncoder(LINE_LENGTH, new byte[] {'\n'});

    private PemText() {}

    /** Returns a key as PKCS #8. */
    public static String of(PrivateKey key) {
        return block("PRIVATE KEY", key.getEncoded());
    }

    /** Returns a key as SubjectPublicKeyInfo. */
    public static String of(PublicKey key) {
        return block("PUBLIC KEY", key.getEncoded());
    }

    /**
     * Returns certificates in the given order.
     *
     * @throws GeneralSecurityException if a certificate cannot be encoded
     */
    public static String of(List<X509Certificate> chain) throws GeneralSecurityException {
        StringBuilder text = new StringBuilder();
        for (X509Certificate certificate : chain) {
            text.append(block("CERTIFICATE", certificate.getEncoded()));
        }
        return text.toString();
    }

    private static String block(String label, byte[] content) {
        return "-----BEGIN " + label + "-----\n" + new String(ENCODER.encode(content), StandardCharsets.US_ASCII)
                + "\n-----END " + label + "-----\n";
    }
}
