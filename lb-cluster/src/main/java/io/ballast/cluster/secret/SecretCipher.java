package io.ballast.cluster.secret;

import io.ballast.cluster.config.ClusterSecretKey;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Optional;
import java.util.random.RandomGenerator;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts and authenticates texts with AES-256-GCM (NIST SP 800-38D). An encrypted text is the base64 form of a random
 * nonce of 96 bits and the ciphertext. The name of the text is authenticated with it, so that one text cannot be
 * exchanged for another one.
 *
 * <p>Thread safety: any thread, if the source of random numbers allows it. Cost: some 10 µs.
 */
public final class SecretCipher {

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKeySpec key;
    private final RandomGenerator random;

    /** @param random a secure source of nonces */
    public SecretCipher(ClusterSecretKey key, RandomGenerator random) {
        this.key = new SecretKeySpec(key.bytes(), "AES");
        this.random = random;
    }

    public String encrypt(String name, String text) {
        byte[] plain = text.getBytes(StandardCharsets.UTF_8);
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, nonce, name);
            byte[] bytes = new byte[NONCE_BYTES + cipher.getOutputSize(plain.length)];
            System.arraycopy(nonce, 0, bytes, 0, NONCE_BYTES);
            int unused = cipher.doFinal(plain, 0, plain.length, bytes, NONCE_BYTES);
            return Base64.getEncoder().encodeToString(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-256-GCM is not available", e);
        }
    }

    /** Returns the text; empty if it was not encrypted with this key under this name. */
    public Optional<String> decrypt(String name, String encrypted) {
        try {
            byte[] bytes = Base64.getDecoder().decode(encrypted);
            if (bytes.length < NONCE_BYTES + TAG_BITS / Byte.SIZE) {
                return Optional.empty();
            }
            byte[] plain =
                    cipher(Cipher.DECRYPT_MODE, bytes, name).doFinal(bytes, NONCE_BYTES, bytes.length - NONCE_BYTES);
            return Optional.of(new String(plain, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException | AEADBadTagException e) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-256-GCM is not available", e);
        }
    }

    private Cipher cipher(int mode, byte[] nonce, String name) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce, 0, NONCE_BYTES));
        cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
