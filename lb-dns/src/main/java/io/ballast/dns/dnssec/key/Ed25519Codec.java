package io.ballast.dns.dnssec.key;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;

/** Ed25519 keys, encoded as in <a href="https://datatracker.ietf.org/doc/html/rfc8032#section-5.1.2">RFC 8032</a>. */
final class Ed25519Codec implements KeyCodec {

    private static final int BYTES = 32;
    private static final int X_IS_ODD = 0x80;

    @Override
    public String keyName() {
        return "Ed25519";
    }

    @Override
    public AlgorithmParameterSpec parameters() {
        return NamedParameterSpec.ED25519;
    }

    @Override
    public byte[] publicBytes(PublicKey key) {
        EdECPoint point = ((EdECPublicKey) key).getPoint();
        byte[] bytes = new byte[BYTES];
        byte[] y = point.getY().toByteArray();
        for (int i = 0; i < Math.min(y.length, BYTES); i++) {
            bytes[i] = y[y.length - 1 - i];
        }
        if (point.isXOdd()) {
            bytes[BYTES - 1] |= (byte) X_IS_ODD;
        }
        return bytes;
    }

    @Override
    public byte[] privateBytes(PrivateKey key) {
        return ((EdECPrivateKey) key)
                .getBytes()
                .orElseThrow(
                        () -> new IllegalArgumentException("PrivateKey: the bytes of the key cannot be extracted"));
    }

    @Override
    public PublicKey publicKey(byte[] bytes) throws GeneralSecurityException {
        byte[] y = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            y[i] = bytes[BYTES - 1 - i];
        }
        boolean isXOdd = (y[0] & X_IS_ODD) != 0;
        y[0] &= (byte) ~X_IS_ODD;
        EdECPoint point = new EdECPoint(isXOdd, new BigInteger(1, y));
        return factory().generatePublic(new EdECPublicKeySpec(NamedParameterSpec.ED25519, point));
    }

    @Override
    public PrivateKey privateKey(byte[] bytes) throws GeneralSecurityException {
        return factory().generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, bytes));
    }

    private KeyFactory factory() throws GeneralSecurityException {
        return KeyFactory.getInstance(keyName());
    }
}
