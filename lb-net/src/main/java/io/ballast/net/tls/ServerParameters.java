package io.ballast.net.tls;

import io.ballast.net.config.ClientCertificates;
import io.ballast.net.config.TlsProfile;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * TLS settings of a listener that do not depend on the certificate. Immutable.
 *
 * @param profile versions, ciphers and groups
 * @param clientMode whether client certificates are required; absent if none are requested
 * @param clientIssuers trusted issuers of client certificates
 */
record ServerParameters(
        TlsProfile profile, Optional<ClientCertificates.Mode> clientMode, List<X509Certificate> clientIssuers) {

    static final ServerParameters DEFAULT =
            new ServerParameters(TlsProfile.INTERMEDIATE, /* clientMode= */ Optional.empty(), List.of());

    /**
     * Ciphers with forward secrecy and authenticated encryption that all current browsers support. The list
     * equals Mozilla's intermediate profile without finite-field Diffie-Hellman, and also Netty's list of
     * ciphers for HTTP/2. <a href="https://datatracker.ietf.org/doc/html/rfc9113#appendix-A">RFC 9113</a>
     * prohibits none of them.
     */
    static final List<String> CIPHERS = List.of(
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256");

    /**
     * The key exchange groups that Mozilla recommends. Java's own TLS ignores this list and uses its default
     * groups.
     */
    private static final String[] GROUPS = {"X25519MLKEM768", "x25519", "secp256r1", "secp384r1"};

    private static final String TLS_1_2 = "TLSv1.2";
    private static final String TLS_1_3 = "TLSv1.3";

    ServerParameters {
        clientIssuers = List.copyOf(clientIssuers);
    }

    /**
     * Returns a text that is equal for listeners with the same TLS profile and the same requirements for client
     * certificates. A session of one such listener can be resumed on another.
     */
    String fingerprint() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update((profile + " " + clientMode).getBytes(StandardCharsets.UTF_8));
            for (X509Certificate issuer : clientIssuers) {
                digest.update(issuer.getEncoded());
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
            throw new IllegalStateException("cannot compute the fingerprint of client certificates' issuers", e);
        }
    }

    void apply(SslContextBuilder builder, SslProvider provider) {
        builder.protocols(profile == TlsProfile.MODERN ? new String[] {TLS_1_3} : new String[] {TLS_1_3, TLS_1_2})
                .ciphers(CIPHERS, SupportedCipherSuiteFilter.INSTANCE);
        if (TlsProvider.isOpenSsl(provider)) {
            builder.option(OpenSslContextOption.GROUPS, GROUPS.clone());
        }
        clientMode.ifPresent(mode -> builder.clientAuth(
                        mode == ClientCertificates.Mode.REQUIRED ? ClientAuth.REQUIRE : ClientAuth.OPTIONAL)
                .trustManager(clientIssuers.toArray(new X509Certificate[0])));
    }
}
