package io.ballast.dashboard.access;

import com.password4j.BcryptFunction;
import com.password4j.types.Bcrypt;
import io.ballast.core.Checks;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** Creates password hashes, tokens and token hashes. */
public final class Secrets {

    /** bcrypt cost; one hash takes about 200 to 300 ms on a current server. */
    public static final int BCRYPT_COST = 12;

    public static final int MIN_PASSWORD_CHARS = 8;

    /** bcrypt ignores all bytes after this length. */
    public static final int MAX_PASSWORD_BYTES = 72;

    private static final int RANDOM_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Secrets() {}

    /**
     * Returns the bcrypt hash of a password in modular crypt format. Takes 200 to 300 ms.
     *
     * @throws IllegalArgumentException if the password is too short, too long or contains control characters
     */
    public static String hashPassword(String password) {
        byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
        Checks.that(
                password.length() >= MIN_PASSWORD_CHARS && bytes.length <= MAX_PASSWORD_BYTES,
                "password",
                bytes.length + " bytes",
                MIN_PASSWORD_CHARS + " characters or more, and " + MAX_PASSWORD_BYTES + " bytes or fewer");
        Checks.that(
                password.chars().noneMatch(Character::isISOControl),
                "password",
                "contains a control character",
                "no control characters");
        return BcryptFunction.getInstance(Bcrypt.B, BCRYPT_COST).hash(bytes).getResult();
    }

    /** Returns 256 random bits in URL-safe base64, which needs no escaping in headers, cookies and shells. */
    public static String generateToken() {
        byte[] bytes = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns the SHA-256 of a token in hex, as the configuration stores it. */
    public static String hashToken(String token) {
        return HexFormat.of().formatHex(sha256(token));
    }

    static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime does not provide SHA-256", e);
        }
    }
}
