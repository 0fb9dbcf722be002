package io.ballast.net.tls;

import io.ballast.core.config.BackendTls;
import io.ballast.core.config.TlsFiles;
import io.ballast.net.config.ListenerTls;
import java.io.IOException;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the keys in a configuration whose type BoringSSL does not support through Netty. The affected
 * connections use Java's own TLS instead. Where that is not possible, some peers cannot authenticate.
 *
 * <p>BoringSSL does not verify Ed25519 and P-521 signatures. It does not sign with Ed25519 keys in TLS 1.2
 * nor as a client.
 */
public final class BoringSslKeySupport {

    private static final int LARGEST_CURVE_BITS = 384;

    private BoringSslKeySupport() {}

    /**
     * Whether BoringSSL, with its default signature schemes, verifies signatures made with a key of this type.
     */
    static boolean canVerify(PublicKey key) {
        if (key instanceof ECPublicKey curve) {
            return curve.getParams().getOrder().bitLength() <= LARGEST_CURVE_BITS;
        }
        return canSign(key);
    }

    /** Whether BoringSSL signs with a key of this type, in all TLS versions and as client and server. */
    static boolean canSign(PublicKey key) {
        return switch (key.getAlgorithm()) {
            case "EdDSA", "Ed25519", "Ed448" -> false;
            default -> true;
        };
    }

    /**
     * Returns the reason why the listener verifies client certificates with Java's own TLS; empty if BoringSSL
     * can be used.
     *
     * @throws IOException if the file with the client CA certificates cannot be read
     */
    static Optional<String> javaTlsReason(ListenerTls config) throws IOException {
        if (config.clientCertificates().isEmpty()) {
            return Optional.empty();
        }
        return unsupportedIssuer(config.clientCertificates().get().ca(), "client certificates");
    }

    /**
     * Returns the reason why connections to backends use Java's own TLS; empty if BoringSSL can be used.
     *
     * @throws IOException if a file cannot be read
     */
    static Optional<String> javaTlsReason(BackendTls config) throws IOException {
        if (config.identity().isPresent()) {
            Optional<String> own = javaTlsReason(config.identity().get());
            if (own.isPresent()) {
                return own;
            }
        }
        return config.ca().isPresent() ? unsupportedIssuer(config.ca().get(), "backends") : Optional.empty();
    }

    private static Optional<String> javaTlsReason(TlsFiles files) throws IOException {
        PublicKey key = CertificateFile.read(files.certificate()).get(0).getPublicKey();
        return canSign(key)
                ? Optional.empty()
                : Optional.of("the certificate in " + files.certificate() + " has a key of type " + key.getAlgorithm());
    }

    private static Optional<String> unsupportedIssuer(Path issuers, String of) throws IOException {
        for (X509Certificate issuer : CertificateFile.read(issuers)) {
            if (!canVerify(issuer.getPublicKey())) {
                return Optional.of("a CA certificate for " + of + " in " + issuers + " has an Ed25519 or P-521 key");
            }
        }
        return Optional.empty();
    }

    /**
     * Returns notes on keys that BoringSSL does not support in this listener, one sentence each. Skips files that
     * cannot be read.
     */
    public static List<String> notes(ListenerTls config) {
        List<String> notes = new ArrayList<>();
        if (!TlsProvider.isOpenSsl(TlsProvider.preferred())) {
            return notes;
        }
        try {
            for (TlsFiles files : config.certificates()) {
                javaTlsReason(files).ifPresent(reason -> notes.add(javaTlsNote(reason)));
            }
            Optional<String> ofClients = javaTlsReason(config);
            ofClients.ifPresent(reason -> notes.add(javaTlsNote(reason)));
            if (config.clientCertificates().isPresent() && ofClients.isEmpty()) {
                notes.add(
                        "clients cannot present certificates with Ed25519 or P-521 keys, which BoringSSL does not verify;"
                                + " set -Dio.netty.handler.ssl.noOpenSsl=true to use Java's TLS, which does");
            }
        } catch (IOException e) {
            // The error is reported when the file is loaded for use.
        }
        return notes;
    }

    /**
     * Returns a note if connections to a pool's backends must use Java's TLS, because BoringSSL does not support
     * the accepted CA certificates or the client key.
     */
    public static List<String> notes(BackendTls config) {
        List<String> notes = new ArrayList<>();
        if (TlsProvider.isOpenSsl(TlsProvider.preferred())) {
            try {
                javaTlsReason(config).ifPresent(reason -> notes.add(javaTlsNote(reason)));
            } catch (IOException e) {
                // The code that later opens the file reports the error.
            }
        }
        return notes;
    }

    private static String javaTlsNote(String reason) {
        return "Java's TLS is used instead of BoringSSL: " + reason;
    }
}
