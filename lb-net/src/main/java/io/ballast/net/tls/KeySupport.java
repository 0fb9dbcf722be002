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
 * Which kinds of keys BoringSSL, as Netty makes it available, does not support, and what follows for a configuration: Java's own
 * TLS is used instead, or some peers cannot prove who they are.
 *
 * <p>BoringSSL offers no verification of signatures by Ed25519 and P-521, and signs with no key of Ed25519 in TLS 1.2 nor as a
 * client.
 */
public final class KeySupport {

    private static final int LARGEST_CURVE_BITS = 384;

    private KeySupport() {}

    /** Whether BoringSSL, with the schemes that it offers by default, verifies signatures by such a key. */
    static boolean isVerified(PublicKey key) {
        if (key instanceof ECPublicKey curve) {
            return curve.getParams().getOrder().bitLength() <= LARGEST_CURVE_BITS;
        }
        return isUsable(key);
    }

    /** Whether BoringSSL signs with such a key, in all versions and roles. */
    static boolean isUsable(PublicKey key) {
        return switch (key.getAlgorithm()) {
            case "EdDSA", "Ed25519", "Ed448" -> false;
            default -> true;
        };
    }

    /**
     * Why clients of a listener are verified by Java's own TLS; absent if they are not.
     *
     * @throws IOException if the file of issuers cannot be read
     */
    static Optional<String> whyJava(ListenerTls config) throws IOException {
        if (config.clientCertificates().isEmpty()) {
            return Optional.empty();
        }
        return rareIssuer(config.clientCertificates().get().ca(), "client certificates");
    }

    /**
     * Why connections to backends use Java's own TLS; absent if they do not.
     *
     * @throws IOException if a file cannot be read
     */
    static Optional<String> whyJava(BackendTls config) throws IOException {
        if (config.identity().isPresent()) {
            Optional<String> own = whyJava(config.identity().get());
            if (own.isPresent()) {
                return own;
            }
        }
        return config.ca().isPresent() ? rareIssuer(config.ca().get(), "backends") : Optional.empty();
    }

    private static Optional<String> whyJava(TlsFiles files) throws IOException {
        PublicKey key = CertificateFile.read(files.certificate()).get(0).getPublicKey();
        return isUsable(key)
                ? Optional.empty()
                : Optional.of("the certificate in " + files.certificate() + " has a key of " + key.getAlgorithm());
    }

    private static Optional<String> rareIssuer(Path issuers, String of) throws IOException {
        for (X509Certificate issuer : CertificateFile.read(issuers)) {
            if (!isVerified(issuer.getPublicKey())) {
                return Optional.of("an issuer of " + of + " in " + issuers + " has a key of Ed25519 or P-521");
            }
        }
        return Optional.empty();
    }

    /** What is worth knowing about a listener's keys, a sentence each. Files that cannot be read are passed over. */
    public static List<String> notes(ListenerTls config) {
        List<String> notes = new ArrayList<>();
        if (!TlsProvider.isOpenSsl(TlsProvider.preferred())) {
            return notes;
        }
        try {
            for (TlsFiles files : config.certificates()) {
                whyJava(files).ifPresent(reason -> notes.add(java(reason)));
            }
            Optional<String> ofClients = whyJava(config);
            ofClients.ifPresent(reason -> notes.add(java(reason)));
            if (config.clientCertificates().isPresent() && ofClients.isEmpty()) {
                notes.add(
                        "clients cannot show certificates with keys of Ed25519 or P-521, which BoringSSL does not verify;"
                                + " -Dio.netty.handler.ssl.noOpenSsl=true makes the process use Java's TLS, which does");
            }
        } catch (IOException e) {
            // Reported where the file is needed.
        }
        return notes;
    }

    /** The same about the keys of a pool's backends, and of the balancer towards them. */
    public static List<String> notes(BackendTls config) {
        List<String> notes = new ArrayList<>();
        if (TlsProvider.isOpenSsl(TlsProvider.preferred())) {
            try {
                whyJava(config).ifPresent(reason -> notes.add(java(reason)));
            } catch (IOException e) {
                // Reported where the file is needed.
            }
        }
        return notes;
    }

    private static String java(String reason) {
        return "Java's TLS is used instead of BoringSSL: " + reason;
    }
}
