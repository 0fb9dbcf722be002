package io.ballast.dns.dnssec.key;

import io.ballast.core.Checks;
import io.ballast.core.ErrorText;
import io.ballast.dns.config.zone.DnssecConfig;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A key algorithm: its number in the <a
 * href="https://www.iana.org/assignments/dns-sec-alg-numbers/dns-sec-alg-numbers.xhtml">registry</a>, and the encoding
 * of its keys. Thread safety: immutable.
 */
public enum KeyAlgorithm {
    /** ECDSA on P-256 with SHA-256 (<a href="https://datatracker.ietf.org/doc/html/rfc6605">RFC 6605</a>). */
    ECDSAP256SHA256(13, "SHA256withECDSAinP1363Format", 64, new EcdsaCodec()),
    /** Ed25519 (<a href="https://datatracker.ietf.org/doc/html/rfc8080">RFC 8080</a>). */
    ED25519(15, "Ed25519", 32, new Ed25519Codec());

    /** Size of a signature in bytes, for either algorithm. */
    public static final int SIGNATURE_BYTES = 64;

    /** Size of a private key in its file in bytes, for either algorithm. */
    static final int PRIVATE_BYTES = 32;

    private final int number;
    private final String signatureName;
    private final int publicBytes;
    private final KeyCodec codec;

    KeyAlgorithm(int number, String signatureName, int publicBytes, KeyCodec codec) {
        this.number = number;
        this.signatureName = signatureName;
        this.publicBytes = publicBytes;
        this.codec = codec;
    }

    public static KeyAlgorithm of(DnssecConfig.Algorithm algorithm) {
        return switch (algorithm) {
            case ECDSAP256SHA256 -> ECDSAP256SHA256;
            case ED25519 -> ED25519;
        };
    }

    /** @throws IllegalArgumentException if the number is not supported */
    static KeyAlgorithm ofNumber(int number) {
        for (KeyAlgorithm algorithm : values()) {
            if (algorithm.number == number) {
                return algorithm;
            }
        }
        String known = Arrays.stream(values())
                .map(algorithm -> algorithm.number + " " + algorithm)
                .collect(Collectors.joining(" or "));
        throw new IllegalArgumentException("algorithm: " + number + " (expected: " + known + ")");
    }

    public int number() {
        return number;
    }

    /**
     * Returns the name of the algorithm for {@link java.security.Signature#getInstance}; the resulting object
     * creates signatures in the format of DNSSEC.
     */
    public String signatureName() {
        return signatureName;
    }

    KeyPair generate() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(codec.keyName());
            generator.initialize(codec.parameters());
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw unsupported(e);
        }
    }

    byte[] publicBytes(PublicKey key) {
        return codec.publicBytes(key);
    }

    byte[] privateBytes(PrivateKey key) {
        return codec.privateBytes(key);
    }

    /** @throws IllegalArgumentException if the bytes are not a valid key */
    PublicKey publicKey(byte[] bytes) {
        Checks.that(bytes.length == publicBytes, "public key", bytes.length + " bytes", publicBytes + " bytes");
        try {
            return codec.publicKey(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "public key: " + ErrorText.of(e) + " (expected: a public key for " + this + ")", e);
        }
    }

    /** @throws IllegalArgumentException if the bytes are not a valid key; the message contains no part of the key */
    PrivateKey privateKey(byte[] bytes) {
        Checks.that(bytes.length == PRIVATE_BYTES, "PrivateKey", bytes.length + " bytes", PRIVATE_BYTES + " bytes");
        try {
            return codec.privateKey(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("PrivateKey: invalid (expected: a private key for " + this + ")", e);
        }
    }

    private IllegalStateException unsupported(GeneralSecurityException cause) {
        return new IllegalStateException("this Java runtime cannot create keys for " + this, cause);
    }
}
