package io.ballast.policy.jwt.token;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Base64url without padding (RFC 7515 appendix C). Each sequence of bytes has exactly one valid text, so that two
 * different texts never have the same meaning.
 */
public final class StrictBase64 {

    private static final byte[] ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] VALUES = new byte[128];
    private static final int BITS = 6;

    static {
        Arrays.fill(VALUES, (byte) -1);
        for (int i = 0; i < ALPHABET.length; i++) {
            VALUES[ALPHABET[i]] = (byte) i;
        }
    }

    private StrictBase64() {}

    /** Decodes {@code text[from, to)}; returns null if the text is not valid. */
    public static byte @Nullable [] decode(byte[] text, int from, int to) {
        int rest = (to - from) % 4;
        if (rest == 1) {
            return null;
        }
        byte[] decoded = new byte[(to - from) / 4 * 3 + Math.max(0, rest - 1)];
        int length = 0;
        int buffer = 0;
        int bits = 0;
        for (int i = from; i < to; i++) {
            int value = text[i] < 0 ? -1 : VALUES[text[i]];
            if (value < 0) {
                return null;
            }
            buffer = buffer << BITS | value;
            bits += BITS;
            if (bits >= Byte.SIZE) {
                bits -= Byte.SIZE;
                decoded[length++] = (byte) (buffer >>> bits);
            }
        }
        boolean hasUnusedBits = (buffer & (1 << bits) - 1) != 0;
        return hasUnusedBits ? null : decoded;
    }
}
