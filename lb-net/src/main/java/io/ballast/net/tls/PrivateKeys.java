package io.ballast.net.tls;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;

/**
 * Reads private keys in the common PEM formats. These are PKCS#8 (<a
 * href="https://datatracker.ietf.org/doc/html/rfc5208">RFC 5208</a>), and the older PKCS#1 for RSA (<a
 * href="https://datatracker.ietf.org/doc/html/rfc8017">RFC 8017</a>) and SEC 1 for elliptic curves (<a
 * href="https://datatracker.ietf.org/doc/html/rfc5915">RFC 5915</a>), which are wrapped in PKCS#8.
 */
final class PrivateKeys {

    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    /** The encoded OBJECT IDENTIFIER rsaEncryption, followed by its NULL parameters. */
    private static final byte[] RSA = {6, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 1, 1, 1, 5, 0};

    /** The encoded OBJECT IDENTIFIER id-ecPublicKey. */
    private static final byte[] EC = {6, 7, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 2, 1};

    private static final byte[] VERSION_0 = {2, 1, 0};

    private PrivateKeys() {}

    /** Whether a block of a PEM file contains a private key, in any format. */
    static boolean isKey(PemBlock block) {
        return block.label().endsWith("PRIVATE KEY");
    }

    /**
     * Returns the key in a block.
     *
     * @throws GeneralSecurityException if the block contains no key, or a key of an unsupported type
     */
    static PrivateKey read(PemBlock block) throws GeneralSecurityException {
        return switch (block.label()) {
            case "PRIVATE KEY" -> fromPkcs8(block.bytes());
            case "RSA PRIVATE KEY" -> generate("RSA", envelope(RSA, block.bytes()));
            case "EC PRIVATE KEY" -> generate("EC", envelope(Der.join(EC, curve(block.bytes())), block.bytes()));
            case "ENCRYPTED PRIVATE KEY" ->
                throw new GeneralSecurityException("the key is encrypted (expected: a key without a passphrase)");
            default ->
                throw new GeneralSecurityException(
                        block.label() + " (expected: PRIVATE KEY, RSA PRIVATE KEY or EC PRIVATE KEY)");
        };
    }

    private static PrivateKey fromPkcs8(byte[] der) throws GeneralSecurityException {
        for (String algorithm : ALGORITHMS) {
            try {
                return generate(algorithm, der);
            } catch (GeneralSecurityException e) {
                // Try the next algorithm.
            }
        }
        throw new GeneralSecurityException(
                "unsupported private key; supported algorithms: " + String.join(", ", ALGORITHMS));
    }

    private static PrivateKey generate(String algorithm, byte[] pkcs8) throws GeneralSecurityException {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    }

    private static byte[] envelope(byte[] algorithm, byte[] key) {
        byte[] identifier = Der.wrap(Der.SEQUENCE, algorithm);
        return Der.wrap(Der.SEQUENCE, Der.join(VERSION_0, identifier, Der.wrap(Der.OCTET_STRING, key)));
    }

    /** Extracts the curve's identifier from a SEC 1 key. */
    private static byte[] curve(byte[] key) throws GeneralSecurityException {
        return Der.find(key, Der.CONTEXT_0)
                .orElseThrow(() -> new GeneralSecurityException("the EC key does not name its curve"));
    }
}
