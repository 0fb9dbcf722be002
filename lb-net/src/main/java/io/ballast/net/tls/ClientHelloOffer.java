package io.ballast.net.tls;

import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The certificate-related fields of a ClientHello.
 *
 * @param host the requested host (SNI), in lower case and without a final dot; null if none
 * @param isLegacy whether the client supports neither TLS 1.2 nor a later version
 * @param tls13 whether it supports TLS 1.3
 * @param rsa whether it accepts RSA signatures with a hash other than SHA-1
 * @param ecdsaCurves the curves for which it accepts ECDSA signatures with a hash other than SHA-1, as
 *     bits of {@link #P256}, {@link #P384} and {@link #P521}
 * @param ed25519 whether it accepts Ed25519 signatures
 * @param verifiesName whether the client is a certificate authority that verifies the host: it offers
 *     {@link ChallengeCertificates#PROTOCOL}
 */
record ClientHelloOffer(
        @Nullable String host,
        boolean isLegacy,
        boolean tls13,
        boolean rsa,
        int ecdsaCurves,
        boolean ed25519,
        boolean verifiesName) {

    static final int P256 = 1;
    static final int P384 = 1 << 1;
    static final int P521 = 1 << 2;

    /** Returns an offer with TLS 1.3 and all signatures with RSA and ECDSA. */
    static ClientHelloOffer acceptingAll(@Nullable String host) {
        return new ClientHelloOffer(
                host == null ? null : normalized(host),
                /* isLegacy= */ false,
                /* tls13= */ true,
                /* rsa= */ true,
                P256 | P384 | P521,
                /* ed25519= */ false,
                /* verifiesName= */ false);
    }

    private static String normalized(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    /** Whether the client accepts signatures by this key. Unknown key types count as accepted. */
    boolean verifies(PublicKey key) {
        return switch (key.getAlgorithm()) {
            case "RSA" -> rsa;
            case "EC" -> key instanceof ECPublicKey ec ? (ecdsaCurves & curve(ec)) != 0 : ecdsaCurves != 0;
            case "EdDSA", "Ed25519" -> ed25519;
            default -> true;
        };
    }

    private static int curve(ECPublicKey key) {
        int bits = key.getParams().getOrder().bitLength();
        return bits <= 256 ? P256 : bits <= 384 ? P384 : P521;
    }

    /**
     * Collects the fields of a message. Numbers are those of the <a
     * href="https://www.iana.org/assignments/tls-parameters/tls-parameters.xhtml">registry of TLS parameters</a>.
     */
    static final class Builder {

        private static final int TLS_1_2 = 0x0303;
        private static final int TLS_1_3 = 0x0304;

        private final boolean isLegacy;
        private @Nullable String host;
        private boolean tls13;
        private boolean rsaPss;
        private boolean rsaPkcs1;
        private int curves;
        private boolean ed25519;
        private boolean rsaCipher;
        private boolean ecdsaCipher;
        private boolean verifiesName;

        /**
         * @param legacyVersion the version field of the message; clients with TLS 1.3 send the number of TLS 1.2
         *     there
         */
        Builder(int legacyVersion) {
            this.isLegacy = legacyVersion < TLS_1_2;
        }

        void host(@Nullable String name) {
            host = name;
        }

        void protocol(String name) {
            verifiesName |= name.equals(ChallengeCertificates.PROTOCOL);
        }

        void version(int version) {
            tls13 |= version == TLS_1_3;
        }

        /** Adds a TLS 1.2 cipher suite. Suites that are not in {@link ServerParameters#CIPHERS} are ignored. */
        void cipher(int suite) {
            switch (suite) {
                case 0xc02f, 0xc030, 0xcca8 -> rsaCipher = true;
                case 0xc02b, 0xc02c, 0xcca9 -> ecdsaCipher = true;
                default -> {
                    // Ignores TLS 1.3 suites, which do not restrict the certificate, and suites that we do not offer.
                }
            }
        }

        /** Adds a signature scheme; schemes with SHA-1 (RFC 9155) and MD5 are ignored. */
        void signature(int scheme) {
            switch (scheme) {
                case 0x0401, 0x0501, 0x0601 -> rsaPkcs1 = true;
                case 0x0804, 0x0805, 0x0806 -> rsaPss = true;
                case 0x0403 -> curves |= P256;
                case 0x0503 -> curves |= P384;
                case 0x0603 -> curves |= P521;
                case 0x0807 -> ed25519 = true;
                default -> {
                    // weak and unsupported signature schemes are ignored
                }
            }
        }

        ClientHelloOffer build() {
            if (tls13) {
                return new ClientHelloOffer(host, isLegacy, tls13, rsaPss, curves, ed25519, verifiesName);
            }
            // In TLS 1.2, a scheme determines the hash and not the curve (RFC 8446 section 4.2.3). The cipher suite
            // determines the key type.
            int anyCurve = curves == 0 || !ecdsaCipher ? 0 : P256 | P384 | P521;
            return new ClientHelloOffer(
                    host,
                    isLegacy,
                    tls13,
                    rsaCipher && (rsaPss || rsaPkcs1),
                    anyCurve,
                    ecdsaCipher && ed25519,
                    verifiesName);
        }
    }
}
