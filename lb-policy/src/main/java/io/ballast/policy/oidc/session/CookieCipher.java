package io.ballast.policy.oidc.session;

import io.ballast.policy.config.oidc.OidcSecret;
import io.ballast.policy.jwt.token.StrictBase64;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.random.RandomGenerator;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and authenticates cookies with AES-256-GCM (NIST SP 800-38D). An encrypted text is the base64url form of the
 * key's number, a random nonce of 96 bits and the ciphertext. The purpose of a cookie is authenticated too, so that the
 * cookie cannot be used for another purpose. The first key encrypts, all keys decrypt.
 *
 * <p>Thread safety: all methods may be called concurrently, if the source of random numbers allows it. Cost: about 10
 * µs.
 */
public final class CookieCipher {

    private static final int ID_BYTES = 4;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int HEAD_BYTES = ID_BYTES + NONCE_BYTES;
    private static final int MIN_BYTES = HEAD_BYTES + TAG_BITS / Byte.SIZE;
    private static final String MAC = "HmacSHA256";

    private final List<Key> keys;
    private final RandomGenerator random;

    @SuppressWarnings("ArrayRecordComponent") // never compared, and the array never leaves the class
    private record Key(byte[] id, SecretKey secret) {}

    /**
     * @param secrets the sources of the keys, at least one
     * @param random a secure source of nonces
     */
    public CookieCipher(List<OidcSecret> secrets, RandomGenerator random) {
        this.keys = secrets.stream().map(CookieCipher::key).toList();
        this.random = random;
    }

    private static Key key(OidcSecret secret) {
        byte[] id = Arrays.copyOf(derive(secret, "ballast oidc cookie: number of the key"), ID_BYTES);
        return new Key(id, new SecretKeySpec(derive(secret, "ballast oidc cookie: key"), "AES"));
    }

    private static byte[] derive(OidcSecret secret, String use) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(secret.bytes(), MAC));
            return mac.doFinal(use.getBytes(StandardCharsets.US_ASCII));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the encrypted text of a cookie. */
    public String encrypt(byte[] plain, byte[] purpose) {
        Key key = keys.get(0);
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, nonce, 0, purpose);
            byte[] text = new byte[HEAD_BYTES + cipher.getOutputSize(plain.length)];
            System.arraycopy(key.id(), 0, text, 0, ID_BYTES);
            System.arraycopy(nonce, 0, text, ID_BYTES, NONCE_BYTES);
            int unused = cipher.doFinal(plain, 0, plain.length, text, HEAD_BYTES);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Decrypts {@code text[from, to)}; returns null if it was not encrypted for this purpose with one of the keys. */
    public byte @Nullable [] decrypt(byte[] text, int from, int to, byte[] purpose) {
        byte[] bytes = StrictBase64.decode(text, from, to);
        if (bytes == null || bytes.length < MIN_BYTES) {
            return null;
        }
        for (Key key : keys) {
            if (Arrays.equals(key.id(), 0, ID_BYTES, bytes, 0, ID_BYTES)) {
                return decrypt(bytes, key, purpose);
            }
        }
        return null;
    }

    private static byte @Nullable [] decrypt(byte[] bytes, Key key, byte[] purpose) {
        try {
            return cipher(Cipher.DECRYPT_MODE, key, bytes, ID_BYTES, purpose)
                    .doFinal(bytes, HEAD_BYTES, bytes.length - HEAD_BYTES);
        } catch (AEADBadTagException forged) {
            return null;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Cipher cipher(int mode, Key key, byte[] nonce, int from, byte[] purpose)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key.secret(), new GCMParameterSpec(TAG_BITS, nonce, from, NONCE_BYTES));
        cipher.updateAAD(purpose);
        return cipher;
    }
}
