package io.ballast.policy.jwt.key;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.OctetKeyPair;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;

/**
 * A public key of Ed25519 or Ed448 (RFC 8037). The JDK verifies its signatures, because the JOSE library would need an
 * additional library.
 */
final class EdwardsKey {

    private static final String ALGORITHM = "EdDSA";
    private static final int SIGN_BIT = 0x80;

    private EdwardsKey() {}

    /** Whether the key is for signatures, not for key agreement. */
    static boolean isSupported(OctetKeyPair key) {
        int bytes = key.getDecodedX().length;
        return (key.getCurve().equals(Curve.Ed25519) && bytes == 32)
                || (key.getCurve().equals(Curve.Ed448) && bytes == 57);
    }

    static SignatureCheck check(OctetKeyPair key) throws GeneralSecurityException {
        NamedParameterSpec curve =
                key.getCurve().equals(Curve.Ed25519) ? NamedParameterSpec.ED25519 : NamedParameterSpec.ED448;
        PublicKey publicKey = KeyFactory.getInstance(ALGORITHM)
                .generatePublic(new EdECPublicKeySpec(curve, point(key.getDecodedX())));
        int signatureBytes = 2 * key.getDecodedX().length;
        return (algorithm, content, signature) -> {
            if (signature.length != signatureBytes) {
                return false; // the JDK would ignore further bytes
            }
            Signature verifier = Signature.getInstance(ALGORITHM);
            verifier.initVerify(publicKey);
            verifier.update(content);
            return verifier.verify(signature);
        };
    }

    /** Decodes a point: its y coordinate in little-endian order, with the sign of x in the last bit (RFC 8032). */
    private static EdECPoint point(byte[] encoded) {
        int last = encoded.length - 1;
        byte[] bigEndian = new byte[encoded.length];
        for (int i = 0; i < encoded.length; i++) {
            bigEndian[last - i] = encoded[i];
        }
        boolean hasOddX = (bigEndian[0] & SIGN_BIT) != 0;
        bigEndian[0] &= SIGN_BIT - 1;
        return new EdECPoint(hasOddX, new BigInteger(1, bigEndian));
    }
}
