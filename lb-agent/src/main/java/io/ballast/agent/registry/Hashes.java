package io.ballast.agent.registry;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Computes and compares hashes of tokens and secrets. */
public final class Hashes {

    private static final int VERSION_DIGITS = 16;

    private Hashes() {}

    /** Returns the SHA-256 of a text in UTF-8, as 64 hexadecimal digits in lower case. */
    public static String sha256(String text) {
        return sha256(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the text that identifies a report: the first 16 digits of the SHA-256 of its document. */
    public static String version(byte[] document) {
        return sha256(document).substring(0, VERSION_DIGITS);
    }

    private static String sha256(byte[] bytes) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime does not provide SHA-256", e);
        }
    }

    /** Compares two hashes; the duration does not depend on the position of a difference. */
    static boolean isEqual(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
    }
}
