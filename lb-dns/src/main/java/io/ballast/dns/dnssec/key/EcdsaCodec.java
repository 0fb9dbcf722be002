package io.ballast.dns.dnssec.key;

import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.util.Arrays;

/** Encodes P-256 keys: the public key as X and Y (RFC 6605 section 4), the private key as an integer. */
final class EcdsaCodec implements KeyCodec {

    private static final ECGenParameterSpec CURVE = new ECGenParameterSpec("secp256r1");
    private static final int NUMBER_BYTES = 32;

    @Override
    public String keyName() {
        return "EC";
    }

    @Override
    public AlgorithmParameterSpec parameters() {
        return CURVE;
    }

    @Override
    public byte[] publicBytes(PublicKey key) {
        ECPoint point = ((ECPublicKey) key).getW();
        byte[] bytes = new byte[2 * NUMBER_BYTES];
        put(point.getAffineX(), bytes, 0);
        put(point.getAffineY(), bytes, NUMBER_BYTES);
        return bytes;
    }

    @Override
    public byte[] privateBytes(PrivateKey key) {
        byte[] bytes = new byte[NUMBER_BYTES];
        put(((ECPrivateKey) key).getS(), bytes, 0);
        return bytes;
    }

    @Override
    public PublicKey publicKey(byte[] bytes) throws GeneralSecurityException {
        BigInteger x = new BigInteger(1, Arrays.copyOf(bytes, NUMBER_BYTES));
        BigInteger y = new BigInteger(1, Arrays.copyOfRange(bytes, NUMBER_BYTES, bytes.length));
        return factory().generatePublic(new ECPublicKeySpec(new ECPoint(x, y), curve()));
    }

    @Override
    public PrivateKey privateKey(byte[] bytes) throws GeneralSecurityException {
        return factory().generatePrivate(new ECPrivateKeySpec(new BigInteger(1, bytes), curve()));
    }

    /** Writes an integer of at most 32 bytes, big-endian and padded with zeros. */
    private static void put(BigInteger number, byte[] bytes, int at) {
        byte[] signed = number.toByteArray();
        int length = Math.min(signed.length, NUMBER_BYTES);
        System.arraycopy(signed, signed.length - length, bytes, at + NUMBER_BYTES - length, length);
    }

    private static KeyFactory factory() throws GeneralSecurityException {
        return KeyFactory.getInstance("EC");
    }

    private static ECParameterSpec curve() throws GeneralSecurityException {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(CURVE);
        return parameters.getParameterSpec(ECParameterSpec.class);
    }
}
