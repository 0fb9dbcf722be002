package io.ballast.policy.config;

import io.ballast.core.Checks;
import java.util.HexFormat;
import java.util.Locale;

/**
 * An API key. Only its hash is stored. Keys are random, so a slow hash is not needed.
 *
 * @param consumer the name of the key's owner, who may have several keys
 * @param hash the SHA-256 of the key, as 64 hexadecimal digits; never printed
 */
public record ApiKey(String consumer, String hash) {

    /** The syntax of a consumer's name. */
    public static final String CONSUMER = "[A-Za-z0-9_][A-Za-z0-9_.@-]{0,127}";

    /** The syntax of a hash. */
    public static final String HASH = "[0-9A-Fa-f]{64}";

    /** The expected form of a hash and how to create one, for messages. */
    public static final String EXPECTED_HASH =
            "64 hexadecimal digits, the SHA-256 of the key; lb token prints a new key and its hash";

    public ApiKey {
        Checks.that(
                consumer.matches(CONSUMER), "consumer", "'" + consumer + "'", "1 to 128 letters, digits and . _ - @");
        Checks.that(hash.matches(HASH), "key_hash", hash.length() + " characters", EXPECTED_HASH);
        hash = hash.toLowerCase(Locale.ROOT);
    }

    /** Returns the hash as 32 bytes. */
    public byte[] hashBytes() {
        return HexFormat.of().parseHex(hash);
    }

    @Override
    public String toString() {
        return "ApiKey[consumer=" + consumer + "]";
    }
}
