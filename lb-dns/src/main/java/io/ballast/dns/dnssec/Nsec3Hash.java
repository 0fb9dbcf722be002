package io.ballast.dns.dnssec;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Computes NSEC3 hashes: one SHA-1 iteration without salt (<a href="https://datatracker.ietf.org/doc/html/rfc9276">RFC
 * 9276</a>). Thread safety: confined to one thread.
 */
final class Nsec3Hash {

    /** The algorithm number of SHA-1, the only defined hash function (RFC 5155 section 11). */
    static final int SHA_1 = 1;

    static final int BYTES = 20;

    /** Size of a hash as a label, including the length byte. */
    static final int LABEL_BYTES = 33;

    private static final byte[] DIGITS = "0123456789abcdefghijklmnopqrstuv".getBytes(StandardCharsets.US_ASCII);
    private static final int DIGIT_BITS = 5;

    private final MessageDigest sha1;

    Nsec3Hash() {
        try {
            this.sha1 = MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime does not provide SHA-1", e);
        }
    }

    /** The hash of a name in lower case and wire format. */
    byte[] of(byte[] name, int length) {
        sha1.update(name, 0, length);
        return sha1.digest();
    }

    /** Returns the hash increased by {@code difference}, which is 1 or -1, with wrap-around. */
    static byte[] plus(byte[] hash, int difference) {
        byte[] result = hash.clone();
        for (int i = BYTES - 1; i >= 0; i--) {
            result[i] += (byte) difference;
            boolean carries = difference > 0 ? result[i] == 0 : result[i] == -1;
            if (!carries) {
                break;
            }
        }
        return result;
    }

    /**
     * Returns the hash encoded as the first label of a name (<a
     * href="https://datatracker.ietf.org/doc/html/rfc4648#section-7">RFC 4648 section 7</a>).
     */
    static byte[] label(byte[] hash) {
        byte[] label = new byte[LABEL_BYTES];
        label[0] = LABEL_BYTES - 1;
        for (int i = 1; i < LABEL_BYTES; i++) {
            int bit = (i - 1) * DIGIT_BITS;
            int two = (hash[bit >> 3] & 0xff) << 8 | (bit >> 3 < BYTES - 1 ? hash[(bit >> 3) + 1] & 0xff : 0);
            label[i] = DIGITS[two >> (16 - DIGIT_BITS - (bit & 7)) & 31];
        }
        return label;
    }
}
