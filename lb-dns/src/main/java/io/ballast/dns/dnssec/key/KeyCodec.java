package io.ballast.dns.dnssec.key;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.AlgorithmParameterSpec;

/** Translates keys of one kind between Java's objects and the bytes that DNSSEC and key files have. */
interface KeyCodec {

    /** What Java's factories call this kind of key. */
    String keyName();

    AlgorithmParameterSpec parameters();

    byte[] publicBytes(PublicKey key);

    byte[] privateBytes(PrivateKey key);

    PublicKey publicKey(byte[] bytes) throws GeneralSecurityException;

    PrivateKey privateKey(byte[] bytes) throws GeneralSecurityException;
}
