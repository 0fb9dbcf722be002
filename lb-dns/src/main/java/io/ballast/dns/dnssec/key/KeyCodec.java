package io.ballast.dns.dnssec.key;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.AlgorithmParameterSpec;

/** Converts keys of one algorithm between Java's key objects and the encodings of DNSSEC and key files. */
interface KeyCodec {

    /** The algorithm name for Java's key factories. */
    String keyName();

    AlgorithmParameterSpec parameters();

    byte[] publicBytes(PublicKey key);

    byte[] privateBytes(PrivateKey key);

    PublicKey publicKey(byte[] bytes) throws GeneralSecurityException;

    PrivateKey privateKey(byte[] bytes) throws GeneralSecurityException;
}
