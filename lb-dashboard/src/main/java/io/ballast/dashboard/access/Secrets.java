package io.ballast.dashboard.access;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.ballast.core.Checks;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** Makes passwords' hashes, tokens and their hashes. */
public final class Secrets {

    /** Some 200 to 300 ms on a server of today. */
    public static final int COST = 12;

    public static final int SHORTEST_PASSWORD = 8;

    /** bcrypt reads no more. */
    public static final int MOST_PASSWORD_BYTES = 72;

    private static final int RANDOM_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Secrets() {}

    /** The hash of a password in the modular crypt format; takes its time. */
    public static String passwordHash(String password) {
        byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
        Checks.that(
                password.length() >= SHORTEST_PASSWORD && bytes.length <= MOST_PASSWORD_BYTES,
                "password",
                bytes.length + " octets",
                SHORTEST_PASSWORD + " characters or more, and " + MOST_PASSWORD_BYTES + " octets or fewer");
        Checks.that(
                password.chars().noneMatch(Character::isISOControl), "password", "a control character", "none of them");
        return new String(BCrypt.with(BCrypt.Version.VERSION_2B).hash(COST, bytes), StandardCharsets.US_ASCII);
    }

    /** 256 random bits in characters that headers, cookies and shells take as they are. */
    public static String token() {
        byte[] bytes = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** What the configuration says of a token. */
    public static String tokenHash(String token) {
        return HexFormat.of().formatHex(sha256(token));
    }

    static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
